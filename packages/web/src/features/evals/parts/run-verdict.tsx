/** @module What a run showed, first in a sentence, then in numbers. */
import { type EvalRunDetail, whoseModel } from "@fettle/contract/evals";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { percent, took } from "../../../lib/amounts.ts";
import type { Json } from "../../../lib/json-exact.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { costWords, isOpen, originWords, runWord, verdictWords } from "../run-words.ts";
import { targetWords } from "../targets.ts";

const kinds = {
  good: "good",
  bad: "bad",
  warn: "warn",
  info: "info",
  neutral: "info",
  accent: "info",
} as const;

export function RunVerdict({ run }: { run: EvalRunDetail }) {
  const { tone, word } = runWord(run);
  return (
    <div data-testid="eval-verdict" className="stack gap-3">
      <Notice kind={kinds[tone]} {...(isOpen(run) && { role: "status" as const })}>
        <span className="font-medium">{word}.</span> {verdictWords(run)}
        {isOpen(run) && " You may leave this page; the run goes on."}
      </Notice>
      {isOpen(run) && <Progress {...run.progress} />}
      {run.modelClass === "rules" && (
        <Notice kind="info">
          Answered by <code>fettle/rules-1</code>, a built-in set of fixed rules that matches words. It is no
          language model, and its results say nothing about one.
          {run.repetitionsCollapsed &&
            " It always does the same, so that each case was played once, however many repetitions were asked for."}
        </Notice>
      )}
      <Drift run={run} />
    </div>
  );
}

function Progress({ settled, total }: EvalRunDetail["progress"]) {
  return (
    <progress
      aria-label="Repetitions done"
      value={settled}
      max={Math.max(total, 1)}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-selected [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-selected [&::-webkit-progress-value]:bg-accent"
    />
  );
}

/** The tools differ from those of the run before: a failure may come from that. */
function Drift({ run: { toolSurfaceDrift: drift } }: { run: EvalRunDetail }) {
  if (!drift) return null;
  const parts = [
    ["new", drift.added],
    ["gone", drift.removed],
    ["changed", drift.changed],
  ] as const;
  const said = parts.filter(([, names]) => names.length > 0);
  if (said.length === 0) return null;
  return (
    <Notice kind="warn" title="The tools are not those of the run before">
      {said
        .map(([word, names]) => `${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${word}`)
        .join("; ")}
      .
    </Notice>
  );
}

export function RunFacts({ run }: { run: EvalRunDetail }) {
  const { summary, target } = run;
  return (
    <Panel>
      <Facts>
        <Fact name="Pass rate">
          {summary?.passRate == null ? (
            <Unknown reason={isOpen(run) ? "It has not ended." : "No repetition came to a result."} />
          ) : (
            <span className="font-semibold text-xl tabular-nums">{percent(summary.passRate)}</span>
          )}
        </Fact>
        <Fact name="Repetitions">
          <span className="tabular-nums">
            {summary
              ? `${summary.passed} passed, ${summary.failed} failed${summary.excluded > 0 ? `, ${summary.excluded} without a verdict` : ""}`
              : `${run.progress.settled} of ${run.progress.total} done`}
          </span>
        </Fact>
        <Fact name={targetWords[target.kind]}>
          {target.name}
          {run.environment && <span className="text-faint"> (revision {run.environment.revision})</span>}
        </Fact>
        <Fact name="Model">
          <code className="break-all text-code">{run.effectiveModelId ?? "several"}</code>{" "}
          <span className="text-faint">(from {whoseModel(run)})</span>
        </Fact>
        <Fact name="Cost">
          {costWords(run) ?? <Unknown reason="A price or a count is not known." />}
          {run.totalTokens !== null && (
            <span className="text-faint"> ({run.totalTokens.toLocaleString("en")} tokens)</span>
          )}
        </Fact>
        <Fact name="Took">
          {run.durationMs === null ? <Unknown reason="It has not ended." /> : took(run.durationMs)}
        </Fact>
        <Fact name="Started">
          <Time at={run.createdAt} /> <span className="text-faint">by {originWords(run)}</span>
        </Fact>
        <Fact name="Id">
          <span className="flex items-center gap-1">
            <code className="truncate text-code">{run.id}</code>
            <CopyButton small text={run.id} label="Copy id" />
          </span>
        </Fact>
        {run.notes && <Fact name="Notes">{run.notes}</Fact>}
        {run.ci?.commitSha && (
          <Fact name="Commit">
            <code className="text-code">{run.ci.commitSha.slice(0, 12)}</code>
            {run.ci.branch && <span className="text-faint"> on {run.ci.branch}</span>}
          </Fact>
        )}
      </Facts>
      {run.reported && <JsonView value={run.reported as Json} label="As reported" openDepth={1} />}
    </Panel>
  );
}
