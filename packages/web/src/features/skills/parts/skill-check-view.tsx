/** @module What the service says of a skill while it is being written. */
import type { SkillCheck } from "@fettle/contract/environments";
import { Notice } from "../../../ui/notice.tsx";

export function SkillCheckView({ check }: { check: SkillCheck | undefined }) {
  return (
    <div role="status" data-testid="skill-check" data-ok={check?.ok}>
      {!check && <p className="text-faint text-sm">Reading the front matter …</p>}
      {check && !check.ok && (
        <Notice kind="bad" title="It is no skill yet">
          <ul className="grid gap-1">
            {check.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      {check?.ok && check.pinnability.ok && (
        <Notice kind="good">
          <strong className="font-medium">{check.name}</strong> reads well. Once shared it can be pinned.
        </Notice>
      )}
      {check?.ok && !check.pinnability.ok && (
        <Notice kind="info">
          <strong className="font-medium">{check.name}</strong> reads well, but even shared it cannot be
          pinned. {check.pinnability.reason}
        </Notice>
      )}
    </div>
  );
}
