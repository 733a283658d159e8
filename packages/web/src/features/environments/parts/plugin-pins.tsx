/** @module Which plugin versions an environment pins: one of each plugin at most. */
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Select } from "../../../ui/select.tsx";
import type { PluginChoice } from "../queries.ts";
import { PinGroup } from "./pin-group.tsx";

export interface PluginPinsProps {
  choices: readonly PluginChoice[];
  pinned: readonly string[];
  readOnly: boolean;
  onChange: (ids: string[]) => void;
}

export function PluginPins({ choices, pinned, readOnly, onChange }: PluginPinsProps) {
  const known = choices.flatMap(({ versions }) => versions.map(({ id }) => id));
  const gone = pinned.filter((id) => !known.includes(id));
  const choose = ({ versions }: PluginChoice, next: string) => {
    const others = pinned.filter((id) => !versions.some((version) => version.id === id));
    onChange(next === "" ? others : [...others, next]);
  };
  return (
    <PinGroup
      label="Plugin versions"
      name="pluginVersionIds"
      readOnly={readOnly}
      hint="A ready version of an installed and enabled plugin; one of each at most."
    >
      <div className="grid gap-2">
        {choices.length + gone.length === 0 && (
          <p className="text-soft text-sm">The project has no plugins yet.</p>
        )}
        {choices.map((choice) => (
          <div key={choice.plugin.id} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[1fr_1fr]">
            <span className="min-w-0 break-words">
              {choice.plugin.displayName ?? choice.plugin.name}
              {!choice.plugin.enabled && <span className="block text-sm text-warn">Disabled</span>}
            </span>
            <Select
              aria-label={`Version of ${choice.plugin.name}`}
              value={choice.versions.find(({ id }) => pinned.includes(id))?.id ?? ""}
              options={[
                { value: "", label: "Not pinned" },
                ...choice.versions.map(({ id, declaredVersion, status }) => ({
                  value: id,
                  label: `${declaredVersion ?? id}${status === "ready" ? "" : `, ${status}`}`,
                  disabled: !pinned.includes(id) && (status !== "ready" || !choice.plugin.enabled),
                })),
              ]}
              onChange={(event) => choose(choice, event.target.value)}
            />
          </div>
        ))}
        {gone.map((id) => (
          <Checkbox
            key={id}
            label={<code className="text-code">{id}</code>}
            hint="Its plugin is uninstalled, or the version is gone."
            checked
            onChange={() => onChange(pinned.filter((each) => each !== id))}
          />
        ))}
      </div>
    </PinGroup>
  );
}
