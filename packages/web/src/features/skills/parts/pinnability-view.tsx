/** @module Whether an environment may pin a skill, and why not. */
import type { Pinnability } from "@fettle/contract/environments";
import { Chip } from "../../../ui/chip.tsx";

export function PinnabilityView({ pinnability }: { pinnability: Pinnability }) {
  return (
    <span
      data-testid="pinnability"
      data-code={pinnability.ok ? "ok" : pinnability.code}
      className="grid justify-items-start gap-0.5"
    >
      <Chip tone={pinnability.ok ? "good" : "neutral"}>
        {pinnability.ok ? "Can be pinned" : "Cannot be pinned"}
      </Chip>
      {!pinnability.ok && <span className="max-w-72 text-faint text-sm">{pinnability.reason}</span>}
    </span>
  );
}
