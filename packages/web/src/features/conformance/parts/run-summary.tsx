/** @module What came of a run: score, tally, where it was made, and why it is incomplete. */
import type { ConformanceRun } from "@fettle/contract/servers";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { isOpen, originOf, suiteNames } from "../run-words.ts";

export function RunSummary({ run }: { run: ConformanceRun }) {
  return (
    <>
      {isOpen(run) && <Going run={run} />}
      {run.incompleteReason && (
        <Notice kind="warn" title="Not everything could be tested">
          <p className="break-words">{run.incompleteReason}</p>
        </Notice>
      )}
      {run.nothingToTest && (
        <Notice kind="info" title="Nothing to test">
          None of the {run.notApplicable} checks applies to this server, so the run proves nothing about it.
        </Notice>
      )}
      {run.status === "timed_out" && (
        <Notice kind="warn">Whoever reported it went silent, so it was ended with what had arrived.</Notice>
      )}
      <Panel>
        <Facts>
          <Fact name="Score">
            {run.score === null ? (
              <Unknown reason={whyUnscored(run)} />
            ) : (
              <span data-testid="conformance-score">
                <span className="font-semibold text-xl tabular-nums">{run.score}</span>
                <span className="text-faint"> of 100</span>
              </span>
            )}
          </Fact>
          <Fact name="Checks">
            {run.outcome === null ? (
              <Unknown reason="It has not ended." />
            ) : (
              <span className="tabular-nums">
                {run.passed} of {run.applicable} passed, {run.failed} failed, {run.couldNotRun} could not run
              </span>
            )}
          </Fact>
          <Fact name="Beside the score">
            <span className="tabular-nums">
              {run.notApplicable} not applicable, {run.pending} pending, {run.advisoryCount} advice
            </span>
          </Fact>
          <Fact name="Protocol">
            {run.protocolVersion ?? <Unknown reason="The suites differ in it, or do not say." />}
          </Fact>
          <Fact name="Made">
            <Time at={run.createdAt} />
          </Fact>
          <Fact name="Took">
            {run.durationMs === null ? <Unknown reason="It has not ended." /> : seconds(run.durationMs)}
          </Fact>
          <Fact name="Where">
            {originOf(run)}
            {run.actorLabel && <span className="text-faint"> ({run.actorLabel})</span>}
          </Fact>
          <Fact name="Id">
            <span className="flex items-center gap-1">
              <code className="break-all text-code">{run.id}</code>
              <CopyButton small text={run.id} label="Copy id" />
            </span>
          </Fact>
        </Facts>
      </Panel>
    </>
  );
}

function whyUnscored(run: ConformanceRun): string {
  if (isOpen(run)) return "It has not ended.";
  return run.outcome === "incomplete"
    ? "The server could not be tested, so there is no score."
    : "Nothing applied, so there is nothing to score.";
}

function Going({ run: { status, progress, reports } }: { run: ConformanceRun }) {
  const there = reports.filter(({ hasReport }) => hasReport).length;
  const words = progress
    ? `${suiteNames[progress.suiteKind]}: ${progress.done} of ${progress.total} checks.`
    : status === "queued"
      ? "Waiting for a worker."
      : `${there} of ${reports.length} suites are there.`;
  return (
    <Notice kind="info" role="status">
      {words} You may leave this page; the run goes on.
    </Notice>
  );
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
