/** @module What the doctor found: the cause, what was seen, and what to try next. */
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { commandLine } from "../../../lib/command-line.ts";
import type { Json } from "../../../lib/json-exact.ts";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { stepName } from "../doctor-words.ts";
import type { Examination } from "../queries.ts";

type Finding = Examination["findings"][number];

/** Advice breaks no rule that binds, so it has no colour of a fault. */
const severities = {
  error: { word: "Problem", tone: "bad" },
  warning: { word: "Warning", tone: "warn" },
  advice: { word: "Advice", tone: "info" },
} as const;

export function FindingCards({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section aria-label="Findings" className="stack gap-3">
      <h2 className="font-semibold text-lg">Findings</h2>
      {findings.map((finding, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes; two findings may be alike.
        <FindingCard key={at} finding={finding} />
      ))}
    </section>
  );
}

function FindingCard({ finding }: { finding: Finding }) {
  const command = finding.next.command && commandLine(finding.next.command);
  return (
    <article
      data-testid="finding"
      data-code={finding.code}
      className="grid gap-3 rounded-panel border border-line bg-surface p-air"
    >
      <header className="flex flex-wrap items-center gap-2">
        <Chip tone={severities[finding.severity].tone}>{severities[finding.severity].word}</Chip>
        <span className="text-faint text-sm">
          {stepName(finding.check)} · <code>{finding.code}</code>
        </span>
      </header>
      <h3 className="font-medium text-base">
        <VisibleText text={finding.summary} />
      </h3>
      <p className="text-soft">
        <VisibleText text={finding.next.text} />
      </p>
      {command && (
        <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap text-code">{command}</code>
          <CopyButton small text={command} label="Copy command" />
        </div>
      )}
      {Object.keys(finding.evidence).length > 0 && (
        <details>
          <summary className="w-fit rounded-[4px] text-sm text-soft">Evidence</summary>
          <div className="mt-2">
            <JsonView value={finding.evidence as Json} label="evidence" />
          </div>
        </details>
      )}
    </article>
  );
}
