/** @module One stage of a sign-in: the rules judged by it, and its steps with what was sent, answered and decided. */
import type { ServerSignIn } from "@fettle/contract/servers";
import { useState } from "react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { saidAs, stageWords, verdictWords } from "../walk-words.ts";
import { ExchangeView } from "./exchange-view.tsx";

type Stage = ServerSignIn["stages"][number];
type Step = Stage["steps"][number];
type Verdict = Stage["verdicts"][number];

export interface StageViewProps {
  stage: Stage;
  number: number;
  /** Where the sign-in stands: shown open. */
  isCurrent: boolean;
}

export function StageView({ stage, number, isCurrent }: StageViewProps) {
  const { tone, word } = stageWords[stage.status];
  const [wanted, setWanted] = useState<boolean>();
  const isBegun = stage.steps.length > 0;
  const open = isBegun && (wanted ?? (isCurrent || stage.status === "failed"));
  const heading = (
    <>
      <span className="w-5 shrink-0 text-right text-faint tabular-nums">{number}</span>
      <span className="grid min-w-0 flex-1">
        <span className="font-medium">{stage.title}</span>
        <span className="text-sm text-soft">{stage.about}</span>
      </span>
      <span className="flex shrink-0 flex-wrap justify-end gap-1.5">
        {stage.verdicts.some(({ status }) => status === "failed") && stage.status === "passed" && (
          <Chip tone="bad">Rule broken</Chip>
        )}
        <Chip tone={tone}>{word}</Chip>
      </span>
    </>
  );
  return (
    <li
      data-testid="sign-in-stage"
      data-stage={stage.id}
      data-status={stage.status}
      className="overflow-clip rounded-panel border border-line bg-surface"
    >
      {isBegun ? (
        <details open={open} onToggle={(event) => setWanted(event.currentTarget.open)}>
          <summary
            data-row-focus=""
            className="flex list-none items-start gap-3 px-4 py-2.5 hover:bg-hover focus-visible:-outline-offset-2"
          >
            {heading}
          </summary>
          {open && (
            <div className="stack gap-4 border-line border-t px-4 py-3">
              {stage.verdicts.length > 0 && (
                <ul aria-label={`Rules of ${stage.title}`} className="stack gap-2">
                  {stage.verdicts.map((verdict) => (
                    <VerdictRow key={verdict.id} verdict={verdict} />
                  ))}
                </ul>
              )}
              {stage.steps.map((step) => (
                <StepView key={step.step} step={step} />
              ))}
            </div>
          )}
        </details>
      ) : (
        <div className="flex items-start gap-3 px-4 py-2.5">{heading}</div>
      )}
    </li>
  );
}

function VerdictRow({ verdict }: { verdict: Verdict }) {
  const { id, title, rule, message, warnings = [] } = verdict;
  const { tone, word } = verdictWords(verdict);
  return (
    <li data-testid="sign-in-verdict" data-check={id} data-status={verdict.skipReason ?? verdict.status}>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Chip tone={tone}>{word}</Chip>
        <span className="min-w-0 break-words">{title}</span>
        {rule && <Chip plain>{rule.word}</Chip>}
        {rule && (
          <a className="text-sm underline" href={rule.url} rel="noreferrer" target="_blank">
            {rule.title}
          </a>
        )}
        <code className="break-all text-faint text-xs">{id}</code>
      </p>
      {message && (
        <p className="mt-0.5 break-words text-sm text-soft">
          <VisibleText text={message} />
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning.message} className="mt-0.5 break-words text-sm text-soft">
          <Chip plain>{warning.word}</Chip> <VisibleText text={warning.message} />
        </p>
      ))}
    </li>
  );
}

function StepView({ step }: { step: Step }) {
  return (
    <section aria-label={step.title} className="stack gap-2 border-line border-t pt-3">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium">
        {step.title}
        <code className="text-faint text-xs">{step.step}</code>
        <span className="ml-auto text-faint text-xs tabular-nums">{step.durationMs} ms</span>
      </h3>
      <p className={step.status === "failed" ? "break-words text-bad" : "break-words text-soft"}>
        <VisibleText text={step.summary} />
      </p>
      {step.warnings.map(({ message }) => (
        <p key={message} className="break-words text-sm text-warn">
          <VisibleText text={message} />
        </p>
      ))}
      {step.hints.map((hint) => (
        <p key={hint} className="break-words text-sm text-soft">
          <VisibleText text={hint} />
        </p>
      ))}
      {step.decisions.map(({ about, picked, why }) => (
        <p key={about} className="break-words text-sm text-soft">
          {about}: <VisibleText text={saidAs(picked)} />. <VisibleText text={why} />
        </p>
      ))}
      {step.exchanges.map((exchange) => (
        <ExchangeView key={`${exchange.at} ${exchange.url}`} exchange={exchange} />
      ))}
    </section>
  );
}
