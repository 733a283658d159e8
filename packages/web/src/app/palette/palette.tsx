/** @module The palette (Ctrl or Cmd K): one line to reach everything. */
import { useNavigate } from "@tanstack/react-router";
import { CornerDownLeft, Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { useOperation } from "../../api/operation.ts";
import { cx } from "../../lib/cx.ts";
import { useBootstrap, useOpenPage, usePlace } from "../../pages/page-context.tsx";
import { returnFocus } from "../../ui/focus-return.ts";
import { filterEntries, type PaletteEntry, paletteEntries } from "./palette-entries.ts";
import { paletteOpen } from "./palette-open.ts";
import { usePaletteThings } from "./palette-things.ts";
import { takeTyped } from "./typed-ahead.ts";

export function Palette() {
  const open = useSyncExternalStore(paletteOpen.subscribe, paletteOpen.get);
  return (
    <Radix.Root open={open} onOpenChange={paletteOpen.set}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="-translate-x-1/2 fixed top-[min(14vh,8rem)] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl animate-appear overflow-hidden rounded-panel border border-line bg-raised shadow-float"
        >
          <Radix.Title className="sr-only">Find or jump to</Radix.Title>
          <PaletteBody />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function PaletteBody() {
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const listId = useId();
  const entries = useEntries();
  const shown = filterEntries(entries, typed);
  const chosen = shown[Math.min(active, shown.length - 1)];

  useEffect(() => {
    if (chosen) document.getElementById(`${listId}-${chosen.id}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen, listId]);

  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    paletteOpen.set(false);
    entry.run();
  };
  // Whoever knows what they want types on before the palette has come.
  const [ahead] = useState(takeTyped);
  const meant = useRef(() => run(filterEntries(entries, ahead.text)[0]));
  useEffect(() => {
    setTyped((now) => ahead.text + now);
    if (ahead.isEntered) meant.current();
  }, [ahead]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step)
      setActive((now) => (Math.min(now, shown.length - 1) + step + shown.length) % Math.max(shown.length, 1));
    else if (event.key === "Enter") run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden="true" className="size-4 text-faint" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={chosen && `${listId}-${chosen.id}`}
          aria-label="Find a page, server, tool, run or command"
          placeholder="Find a page, server, tool, run or command"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
          className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-faint"
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5"
      >
        {shown.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${listId}-${entry.id}`}
            entry={entry}
            active={entry === chosen}
            heading={entry.group !== shown[index - 1]?.group}
            onPoint={() => setActive(index)}
            onChoose={() => run(entry)}
          />
        ))}
        {shown.length === 0 && (
          <p className="px-3 py-8 text-center text-base text-soft">Nothing matches “{typed}”.</p>
        )}
      </div>
      <p role="status" className="sr-only">
        {shown.length} results
      </p>
    </>
  );
}

function useEntries(): PaletteEntry[] {
  const { organizations } = useBootstrap();
  const { organization, project } = usePlace();
  const { parameters } = useOpenPage();
  const projects = useOperation("listProjects", { query: { organizationId: organization?.id ?? "" } }).data;
  const router = useNavigate();
  const navigate = (to: string, search = {}) => void router({ to, search });
  const here = {
    ...parameters,
    ...(organization && { org: organization.id }),
    ...(project && { pid: project.id }),
  };
  const things = usePaletteThings(here, navigate);
  return paletteEntries({
    parameters: here,
    projects: projects?.items ?? [],
    organizations,
    things,
    navigate,
  });
}

interface OptionProps {
  id: string;
  entry: PaletteEntry;
  active: boolean;
  heading: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, entry, active, heading, onPoint, onChoose }: OptionProps) {
  return (
    <>
      {heading && (
        <div role="presentation" className="px-2.5 pt-2 pb-1 font-medium text-faint text-xs">
          {entry.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above owns the keyboard. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        onPointerMove={onPoint}
        onClick={onChoose}
        className={cx(
          "flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5",
          active && "bg-selected",
        )}
      >
        <span className="shrink-0 text-base">{entry.label}</span>
        <span className="min-w-0 flex-1 truncate text-faint text-sm">{entry.about}</span>
        {entry.keys && <kbd className="font-sans text-faint text-xs">{entry.keys}</kbd>}
        {active && <CornerDownLeft aria-hidden="true" className="size-3.5 text-faint" />}
      </div>
    </>
  );
}
