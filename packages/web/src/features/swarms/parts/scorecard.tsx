/** @module What a run's checks showed. Rates are of the sessions graded; a grader that broke is counted apart, and nothing graded is no rate. */
import type { JourneyRun, RunScorecard } from "@fettle/contract/visitors";
import { useQueries } from "@tanstack/react-query";
import { failureOf } from "../../../api/failure.ts";
import { operationOptions, useOperation } from "../../../api/operation.ts";
import { checkKinds } from "../../../kit/checks/check-kinds.ts";
import { TrendLine } from "../../../kit/history/trend-line.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { percent } from "../../../lib/amounts.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { distanceText, spanText } from "../calibration-words.ts";
import { many } from "../run-words.ts";

type Criterion = RunScorecard["criteria"][number];

export interface ScorecardProps {
  run: Pick<JourneyRun, "id" | "projectId" | "journeyId">;
  /** Earlier runs of the journey, the newest first. */
  earlier: readonly Pick<JourneyRun, "id">[];
}

export function Scorecard({ run, earlier }: ScorecardProps) {
  const { projectId, id: runId, journeyId } = run;
  const query = useOperation("getJourneyRunScorecard", { projectId, runId });
  const before = useQueries({
    queries: earlier.map(({ id }) => operationOptions("getJourneyRunScorecard", { projectId, runId: id })),
  }).flatMap(({ data }) => data ?? []);
  if (query.isError && failureOf(query.error).details?.code === "NO_RUBRIC") {
    return (
      <Panel title="Scorecard">
        <p className="text-soft">
          The journey had no rubric when it was launched, so nothing was checked.{" "}
          <PageLink page="journey-settings" params={{ pid: projectId, jid: journeyId }} className="underline">
            Add checks for the next run
          </PageLink>
        </p>
      </Panel>
    );
  }
  return (
    <Loaded query={query} what="the scorecard">
      {(card) => <Card pid={projectId} card={card} before={before} />}
    </Loaded>
  );
}

function Card({ pid, card, before }: { pid: string; card: RunScorecard; before: readonly RunScorecard[] }) {
  const { criteria, sessionsGraded, sessionsTotal } = card;
  const trendOf = ({ id, passRate }: Criterion) => [
    ...before.toReversed().flatMap((one) => one.criteria.find((each) => each.id === id)?.passRate ?? []),
    ...(passRate === null ? [] : [passRate]),
  ];
  return (
    <Panel
      title="Scorecard"
      about={
        sessionsGraded === 0
          ? `None of ${many(sessionsTotal, "session")} is graded yet.`
          : `Of ${sessionsGraded} graded, out of ${many(sessionsTotal, "session")}.`
      }
      aside={<Calibrated pid={pid} calibration={card.calibration} />}
    >
      <DataTable<Criterion>
        caption="Checks of the rubric"
        noun={["check", "checks"]}
        items={criteria}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "check",
            header: "Check",
            cell: (criterion) => (
              <span data-testid="criterion" data-criterion={criterion.id} className="break-words font-medium">
                {criterion.label ?? checkKinds[criterion.kind]?.label ?? criterion.kind}
                <span className="block font-normal text-soft text-sm md:hidden">{countsText(criterion)}</span>
              </span>
            ),
          },
          {
            id: "rate",
            header: "Pass rate",
            cell: (criterion) =>
              criterion.passRate === null ? (
                <Unknown reason="No session is graded." />
              ) : (
                <span className="flex items-center gap-3">
                  <span className="w-14 whitespace-nowrap font-medium tabular-nums">
                    {percent(criterion.passRate)}
                  </span>
                  <TrendLine rates={trendOf(criterion)} />
                </span>
              ),
          },
          {
            id: "counts",
            header: "Sessions",
            wideOnly: true,
            cell: (criterion) => (
              <span className="text-soft text-sm tabular-nums">{countsText(criterion)}</span>
            ),
          },
          {
            id: "broken",
            header: "Could not be checked",
            wideOnly: true,
            align: "end",
            cell: ({ failedGradingCount }) =>
              failedGradingCount > 0 ? (
                <Chip tone="warn" title="The check itself broke, which says nothing of the session.">
                  {failedGradingCount}
                </Chip>
              ) : (
                <span className="text-faint tabular-nums">0</span>
              ),
          },
        ]}
      />
    </Panel>
  );
}

const countsText = ({ passCount, failCount, pendingCount }: Criterion) =>
  `${passCount} passed, ${failCount} failed${pendingCount > 0 ? `, ${pendingCount} waiting` : ""}`;

/** How far simulated visitors lie from real ones. */
function Calibrated({ pid, calibration }: { pid: string; calibration: RunScorecard["calibration"] }) {
  return (
    <PageLink
      page="calibration"
      params={{ pid }}
      data-testid="calibration"
      data-state={calibration === null ? "none" : "known"}
    >
      <Chip
        plain
        title={
          calibration === null
            ? "Nobody has measured how far these visitors lie from real ones: take the rates as a comparison between runs."
            : `How far these visitors lie from real ones, from 0, the same, to 1: ${spanText(calibration)} by 95 % of drawings over ${many(calibration.sessions, "session")}; chance alone gives ${distanceText(calibration.chance)}.`
        }
      >
        {calibration === null ? "Not calibrated" : `Calibrated: error ${distanceText(calibration.error)}`}
      </Chip>
    </PageLink>
  );
}
