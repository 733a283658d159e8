/** @module One repetition: why it came out as it did, then what was expected and done, then everything that happened. */
import type { EvalIteration, EvalRunJudges } from "@fettle/contract/evals";
import { lazy, type ReactNode, Suspense } from "react";
import { useOperation } from "../../../api/operation.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { Loaded } from "../../../kit/loaded.tsx";
import { Loading } from "../../../kit/loading.tsx";
import { recordingOf } from "../../../kit/recorded/recording.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { took } from "../../../lib/amounts.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { whyOf } from "../failure-reasons.ts";
import { costWords, repetitionWords, stateOfIteration } from "../run-words.ts";
import { CallComparison } from "./call-comparison.tsx";
import { CheckRows } from "./check-rows.tsx";
import { JudgeGrades } from "./judge-grades.tsx";

const RecordedViews = lazy(async () => ({
  default: (await import("./recorded-views.tsx")).RecordedViews,
}));

export interface IterationViewProps {
  projectId: string;
  iteration: EvalIteration;
  isRules: boolean;
  judges: EvalRunJudges;
}

export function IterationView({ projectId, iteration, isRules, judges }: IterationViewProps) {
  const { runId, id: iterationId, title, iterationNumber, model } = iteration;
  const state = stateOfIteration(iteration);
  const { tone, word } = repetitionWords[state];
  const why = whyOf(iteration);
  // After what decided.
  const grades = <JudgeGrades judges={judges} caseKey={iteration.caseKey} />;
  useCommandFacts({ iteration: iterationId });
  const facts = [
    `Repetition ${iterationNumber}`,
    model,
    iteration.durationMs === null ? undefined : took(iteration.durationMs),
    iteration.tokensUsed === null ? undefined : `${iteration.tokensUsed.toLocaleString("en")} tokens`,
    isRules ? undefined : costWords({ costUsd: iteration.costUsd, modelClass: null }),
  ];
  return (
    <article
      data-testid="eval-iteration"
      data-state={state}
      aria-label={`${title}, repetition ${iterationNumber}`}
      className="stack content-start gap-5"
    >
      <header className="grid gap-1">
        <div className="flex flex-wrap items-center gap-2.5">
          <h2 className="break-words font-semibold text-lg">{title}</h2>
          <Chip tone={tone}>{word}</Chip>
        </div>
        <p className="text-faint text-sm tabular-nums">{facts.filter(Boolean).join(" · ")}</p>
      </header>
      {why && (
        <div data-testid="why">
          <Notice kind={state === "lost" ? "warn" : "bad"} title={why.title}>
            {why.lines.map((line) => (
              <p key={line} className="break-words text-base">
                <VisibleText text={line} />
              </p>
            ))}
          </Notice>
        </div>
      )}
      {state === "waiting" || state === "running" ? (
        <p className="text-soft">
          {state === "waiting" ? "It has not begun." : "It is being played."} This page shows what comes of
          it.
        </p>
      ) : iteration.hasTrace ? (
        <Recorded key={iterationId} where={{ projectId, runId, iterationId }} iteration={iteration}>
          {grades}
        </Recorded>
      ) : (
        <>
          <CheckRows iteration={iteration} />
          {grades}
        </>
      )}
    </article>
  );
}

interface RecordedProps {
  where: { projectId: string; runId: string; iterationId: string };
  iteration: EvalIteration;
  children: ReactNode;
}

function Recorded({ where, iteration, children }: RecordedProps) {
  const query = useOperation("getEvalIterationTrace", where);
  return (
    <Loaded query={query} what="what happened">
      {(trace) => {
        const recording = recordingOf(trace);
        return (
          <>
            {recording && <CallComparison turns={recording.prompts} calls={recording.toolCalls} />}
            <CheckRows iteration={iteration} />
            {children}
            <Suspense fallback={<Loading what="what happened" />}>
              <RecordedViews raw={trace} recording={recording} />
            </Suspense>
          </>
        );
      }}
    </Loaded>
  );
}
