/** @module How the launch went, target by target, apart from what was found: every session as a mark, and what stopped any in plain words. */
import type { JourneyRunDetail } from "@fettle/contract/visitors";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { dollars } from "../../../lib/amounts.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { driverWords, goalText, many, stopped, stopWords } from "../run-words.ts";
import { markLook, markWords, SessionMark } from "./session-mark.tsx";

export interface RunHealthProps {
  run: JourneyRunDetail;
  /** The session that is open. */
  selected: string;
  onSelect: (sessionId: string) => void;
}

export function RunHealth({ run, selected, onSelect }: RunHealthProps) {
  const { counts, sessionsTotal } = run;
  const settled = counts.succeeded + counts.failed + counts.rate_limited;
  return (
    <section aria-label="How the run went" data-testid="run-health" className="stack gap-4">
      <p role="status" className="text-soft">
        {settled} of {many(sessionsTotal, "session")} settled: {counts.succeeded} done, {counts.failed}{" "}
        failed, {counts.rate_limited} rate limited. {goalText(run)}.
      </p>
      <Stops run={run} />
      <ul className="grid gap-px overflow-hidden rounded-panel border border-line bg-line">
        {run.targetSummaries.map((target) => (
          <li key={target.targetId} className="grid gap-2 bg-surface px-4 py-3 lg:grid-cols-[18rem_1fr]">
            <span className="grid content-start">
              <span className="break-words font-medium">{target.name}</span>
              <span className="break-words text-faint text-sm">
                {target.kind === "environment" ? "Environment" : "Client"}
                {target.environmentRevision !== null && `, revision ${target.environmentRevision}`} ·{" "}
                <code className="text-code">{target.model}</code> answers, {driverWords[target.personaDriver]}
              </span>
            </span>
            <span className="flex flex-wrap content-start gap-1">
              {run.attempts
                .filter(({ targetId }) => targetId === target.targetId)
                .map(({ id, index, state }) => (
                  <button
                    key={id}
                    type="button"
                    title={markWords(index + 1, state)}
                    aria-label={`${target.name}. ${markWords(index + 1, state)}`}
                    aria-current={id === selected ? "true" : undefined}
                    data-testid="session-mark"
                    data-state={state}
                    onClick={() => onSelect(id)}
                    className={markLook(state, id === selected)}
                  >
                    <SessionMark state={state} />
                  </button>
                ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Stops({ run }: { run: JourneyRunDetail }) {
  const stops = stopped(run);
  return (
    <>
      {run.error !== undefined && (
        <Notice kind={run.canceled ? "info" : "bad"}>{stopWords(run.error)}</Notice>
      )}
      {stops.length > 0 && (
        <Notice kind="warn" title="Not every session came to its end">
          <ul className="grid gap-1">
            {stops.map(({ target, reasons }) => (
              <li key={target}>
                <span className="font-medium">{target}</span>
                <ul className="grid list-disc pl-5">
                  {reasons.map(({ words, count }) => (
                    <li key={words} className="break-words">
                      {many(count, "session")}: <VisibleText text={words} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

export function RunFacts({ run }: { run: JourneyRunDetail }) {
  return (
    <Facts>
      <Fact name="Goal">
        <VisibleText text={run.goal} />
      </Fact>
      <Fact name="Persona">
        {run.persona.name}, {run.persona.role}
      </Fact>
      <Fact name="Wave">
        <PageLink page="wave" params={{ pid: run.projectId, wid: run.waveId }} className="underline">
          <code className="break-all text-code">{run.waveId}</code>
        </PageLink>
      </Fact>
      <Fact name="Budget">
        {many(run.sessionsPerTarget, "session")} on each target, {many(run.maxTurns, "turn")} at most
      </Fact>
      <Fact name="Cost">
        {run.costUsd === null ? (
          <Unknown reason="What it cost is not known." />
        ) : (
          `${run.costUsd === 0 ? "Free" : dollars(run.costUsd)}${run.spendLimitUsd ? `, of ${dollars(run.spendLimitUsd)} at most` : ""}`
        )}
      </Fact>
      <Fact name="Tokens">
        {run.totalTokens === null ? (
          <Unknown reason="Nobody counted them." />
        ) : (
          run.totalTokens.toLocaleString("en")
        )}
      </Fact>
    </Facts>
  );
}
