/** @module The sheet of keys (`?`), drawn from the same list the handler acts on. */
import { useSyncExternalStore } from "react";
import { pages } from "../../pages/pages.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { jumps, keyBindings, modifierName } from "../keymap.ts";
import { keySheetOpen } from "./palette-open.ts";

export function KeySheet() {
  const open = useSyncExternalStore(keySheetOpen.subscribe, keySheetOpen.get);
  return (
    <Dialog open={open} onClose={() => keySheetOpen.set(false)} title="Keyboard" wide>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <KeyList
          title="Anywhere"
          keys={[
            ...keyBindings.map(({ key, modifier, about }) => ({
              keys: modifier ? [modifierName, key.toUpperCase()] : [key],
              about,
            })),
            { keys: [modifierName, "Enter"], about: "Submit the form" },
            { keys: ["Esc"], about: "Close what is on top" },
          ]}
        />
        <KeyList
          title="Go to"
          keys={[...jumps].map(([key, id]) => ({
            keys: ["g", key],
            about: pages.find((page) => page.id === id)?.title ?? id,
          }))}
        />
      </div>
      <p className="mt-6 text-faint text-sm">Single keys can be turned off under Account, Appearance.</p>
    </Dialog>
  );
}

function KeyList({ title, keys }: { title: string; keys: { keys: string[]; about: string }[] }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium text-faint text-xs">{title}</h3>
      <dl>
        {keys.map(({ keys: pressed, about }) => (
          <div key={pressed.join()} className="flex min-h-7 items-center justify-between gap-4">
            <dt className="text-base">{about}</dt>
            <dd className="flex gap-1">
              {pressed.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
