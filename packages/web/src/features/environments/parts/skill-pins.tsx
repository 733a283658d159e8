/** @module Which skills an environment pins. One that cannot be pinned says why. */
import type { Skill } from "@fettle/contract/environments";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { PinGroup } from "./pin-group.tsx";

export interface SkillPinsProps {
  skills: readonly Skill[];
  pinned: readonly string[];
  readOnly: boolean;
  onChange: (ids: string[]) => void;
}

export function SkillPins({ skills, pinned, readOnly, onChange }: SkillPinsProps) {
  const gone = pinned.filter((id) => !skills.some((skill) => skill.id === id));
  const toggle = (id: string, isPinned: boolean) =>
    onChange(isPinned ? [...pinned, id] : pinned.filter((each) => each !== id));
  return (
    <PinGroup
      label="Skills"
      name="skillIds"
      readOnly={readOnly}
      hint="Only skills shared with the project that are a single plain SKILL.md can be pinned."
    >
      <div className="grid gap-1">
        {skills.length + gone.length === 0 && (
          <p className="text-soft text-sm">The project has no skills yet.</p>
        )}
        {skills.map(({ id, name, description, pinnability }) => (
          <Checkbox
            key={id}
            label={name}
            hint={pinnability.ok ? description : `Cannot be pinned: ${pinnability.reason}`}
            checked={pinned.includes(id)}
            // What is pinned already can always be taken off.
            disabled={!pinnability.ok && !pinned.includes(id)}
            onChange={(event) => toggle(id, event.target.checked)}
          />
        ))}
        {gone.map((id) => (
          <Checkbox
            key={id}
            label={<code className="text-code">{id}</code>}
            hint="Not visible to you, or deleted."
            checked
            onChange={() => toggle(id, false)}
          />
        ))}
      </div>
    </PinGroup>
  );
}
