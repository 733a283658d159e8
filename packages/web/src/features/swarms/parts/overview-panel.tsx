/** @module The project's swarms at a glance: how often goals were reached, which checks fail and for how long, and the latest runs. */
import type { SwarmOverview, SwarmOverviewRun } from "@fettle/contract/visitors";
import { useOperation } from "../../../api/operation.ts";
import { checkKinds } from "../../../kit/checks/check-kinds.ts";
import { TrendLine } from "../../../kit/history/trend-line.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { percent } from "../../../lib/amounts.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { many } from "../run-words.ts";
import { GoalRate } from "./goal-rate.tsx";
import { RunChip } from "./run-chip.tsx";

/** The others are with their journeys. */
const shownRuns = 10;

export function OverviewPanel({ projectId: pid }: { projectId: string }) {
  const query = useOperation("getSwarmOverview", { projectId: pid });
  return (
    <Loaded query={query} what="the overview">
      {(overview) => (overview.runs.length === 0 ? null : <Glance pid={pid} overview={overview} />)}
    </Loaded>
  );
}

function Glance({ pid, overview }: { pid: string; overview: SwarmOverview }) {
  const { runs, runsConsidered, goalCompletion } = overview;
  return (
    <Panel
      title="At a glance"
      about={`Of the latest ${many(runsConsidered, "run")}.`}
      aside={<Goals goals={goalCompletion} />}
    >
      <div data-testid="swarm-overview" className="stack gap-5">
        <Missed pid={pid} runs={runs} />
        <DataTable<SwarmOverviewRun>
          caption="Latest runs"
          noun={["run", "runs"]}
          items={runs.slice(0, shownRuns)}
          more={runs.length > shownRuns}
          keyOf={({ runId }) => runId}
          columns={[
            {
              id: "run",
              header: "Run",
              cell: ({ runId, personaName, journeyName, targets }) => (
                <RowLink
                  page="journey-run"
                  params={{ pid, jrid: runId }}
                  note={targets.map(({ name }) => name).join(", ")}
                >
                  {`${personaName}: ${journeyName}`}
                </RowLink>
              ),
            },
            {
              id: "state",
              header: "State",
              cell: (run) => <RunChip run={run} />,
            },
            {
              id: "goal",
              header: "Goal reached",
              cell: (run) => <GoalRate run={run} />,
            },
            {
              id: "wave",
              header: "Wave",
              wideOnly: true,
              cell: ({ waveId }) => (
                <PageLink page="wave" params={{ pid, wid: waveId }} className="break-all text-sm underline">
                  <VisibleText text={waveId} />
                </PageLink>
              ),
            },
            {
              id: "at",
              header: "Launched",
              wideOnly: true,
              align: "end",
              cell: ({ createdAt }) => <Time at={createdAt} />,
            },
          ]}
        />
      </div>
    </Panel>
  );
}

function Goals({
  goals: { gradedCount, passedCount, passRate, trend },
}: {
  goals: SwarmOverview["goalCompletion"];
}) {
  return (
    <span className="flex items-center gap-3" title={`${passedCount} of ${gradedCount} judged sessions`}>
      <span className="text-soft text-sm">Goals reached</span>
      {passRate === null ? (
        <Unknown reason="No session was judged." />
      ) : (
        <span className="font-semibold tabular-nums">{percent(Math.round(passRate * 1000) / 1000)}</span>
      )}
      <TrendLine rates={trend.map((day) => day.passRate)} />
    </span>
  );
}

/** Of the latest run of each journey. */
function Missed({ pid, runs }: { pid: string; runs: readonly SwarmOverviewRun[] }) {
  const missed = runs.flatMap((run) => run.findings.map((finding) => ({ run, finding })));
  if (missed.length === 0)
    return <p className="text-soft">No check fails in the latest run of any journey.</p>;
  return (
    <ul aria-label="Checks that fail" className="-my-1 divide-y divide-line">
      {missed.map(({ run, finding }) => (
        <li
          key={`${run.runId} ${finding.criterionId}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2"
        >
          <PageLink
            page="journey-run"
            params={{ pid, jrid: run.runId }}
            className="min-w-40 flex-1 break-words font-medium hover:underline max-sm:basis-full"
          >
            {finding.label ?? checkKinds[finding.kind]?.label ?? finding.kind}
          </PageLink>
          <span className="break-words text-faint text-sm">{run.journeyName}</span>
          <span className="text-soft text-sm tabular-nums">
            {finding.failCount} of {many(finding.sessionsGraded, "session")}
          </span>
          {finding.runStreak > 1 && (
            <Chip tone="warn" plain>
              {`${finding.runStreak} runs in a row`}
            </Chip>
          )}
        </li>
      ))}
    </ul>
  );
}
