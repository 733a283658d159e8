/** @module What the judge makes of the run: how far it is, what it says of the whole, and asking it (again). */
import type { EvalRunDetail } from "@fettle/contract/evals";
import { lazy, Suspense, useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { judgeFailure, judgeScore, judgeStates } from "../judge-words.ts";

const JudgeDialog = lazy(async () => ({ default: (await import("./judge-dialog.tsx")).JudgeDialog }));

export function JudgePanel({ run }: { run: EvalRunDetail }) {
  const [asking, setAsking] = useState(false);
  const offline = useWriteBlock();
  const { goalCompletion: goal, groundedness } = run.judges;
  const status = goal?.status ?? "none";
  const { tone, word } = judgeStates[status];
  const isGraded = status === "completed";
  return (
    <div data-testid="judge" data-status={status}>
      <Panel title="Judge" aside={<Chip tone={tone}>{word}</Chip>}>
        <div className="stack gap-3 text-sm">
          <p className="text-soft">
            Advisory: a judge reads what was said and grades it. The verdict and the gate come from the checks
            alone, whatever it says.
          </p>
          {goal && isGraded && (
            <dl className="grid gap-1.5">
              <Line name="Goal reached" value={judgeScore(goal)} />
              {groundedness?.status === "completed" && groundedness.cases.length > 0 && (
                <Line name="Backed by results" value={judgeScore(groundedness)} />
              )}
              <Line
                name="Graded by"
                value={goal.deterministic ? "the built-in rules, no model" : (goal.modelUsed ?? "a model")}
              />
              {goal.threshold !== null && <Line name="Good from" value={String(goal.threshold)} />}
            </dl>
          )}
          {goal && isGraded && goal.cases.length === 0 && (
            <Notice kind="info">
              No case says what a good answer says, so there was nothing to grade by. Say it in the case.
            </Notice>
          )}
          {goal && status === "failed" && (
            <Notice kind="warn">
              {judgeFailure(goal)} <code className="text-code">{goal.errorCode}</code>
            </Notice>
          )}
          {status === "pending" && <p role="status">It is being graded. This page shows what comes of it.</p>}
          {goal?.generatedAt != null && (
            <p className="text-faint">
              <Time at={goal.generatedAt} />
            </p>
          )}
          {status !== "pending" && (
            <span>
              <Blocked reason={offline}>
                <Button onClick={() => setAsking(true)}>
                  {isGraded ? "Judge again …" : "Ask the judge …"}
                </Button>
              </Blocked>
            </span>
          )}
        </div>
      </Panel>
      {asking && (
        <Suspense>
          <JudgeDialog run={run} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words text-right tabular-nums">{value}</dd>
    </div>
  );
}
