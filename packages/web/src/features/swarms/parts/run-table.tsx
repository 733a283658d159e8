/** @module The runs of a journey, and how the share that reached the goal went from one to the next. */
import type { JourneyRun } from "@fettle/contract/visitors";
import { HistoryChart } from "../../../kit/history/history-chart.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { dollars } from "../../../lib/amounts.ts";
import { momentOf } from "../../../lib/time.ts";
import { RowLink } from "../../../pages/row-link.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { goalRate, runWords } from "../run-words.ts";
import { GoalRate } from "./goal-rate.tsx";
import { RunChip } from "./run-chip.tsx";

export interface RunTableProps {
  pid: string;
  runs: readonly JourneyRun[];
  more: boolean;
}

export function RunTable({ pid, runs, more }: RunTableProps) {
  return (
    <DataTable<JourneyRun>
      caption="Runs"
      items={runs}
      keyOf={({ id }) => id}
      more={more}
      noun={["run", "runs"]}
      columns={[
        {
          id: "run",
          header: "Run",
          cell: ({ id, createdAt, waveId }) => (
            <RowLink page="journey-run" params={{ pid, jrid: id }} note={`Wave ${waveId}`}>
              {momentOf(createdAt)}
            </RowLink>
          ),
        },
        { id: "state", header: "State", cell: (run) => <RunChip run={run} /> },
        {
          id: "goal",
          header: "Goal reached",
          cell: (run) => <GoalRate run={run} />,
        },
        {
          id: "sessions",
          header: "Sessions",
          wideOnly: true,
          cell: ({ counts, sessionsTotal }) => (
            <span className="text-soft tabular-nums">
              {counts.succeeded} of {sessionsTotal} done
            </span>
          ),
        },
        {
          id: "cost",
          header: "Cost",
          wideOnly: true,
          align: "end",
          cell: ({ costUsd }) =>
            costUsd === null ? (
              <Unknown reason="What it cost is not known." />
            ) : (
              <span className="text-soft tabular-nums">{costUsd === 0 ? "Free" : dollars(costUsd)}</span>
            ),
        },
      ]}
    />
  );
}

export interface GoalHistoryProps {
  name: string;
  runs: readonly JourneyRun[];
  onOpen: (runId: string) => void;
}

export function GoalHistory({ name, runs, onOpen }: GoalHistoryProps) {
  const rated = runs.filter((run) => goalRate(run) !== null);
  return (
    <HistoryChart
      title="Goal reached, run by run"
      by="turn"
      about={`Of the sessions that were judged, in ${rated.length} runs.`}
      label={`Goal reached in ${name}`}
      unit=" %"
      border={100}
      entries={runs.map((run) => {
        const rate = goalRate(run);
        return {
          id: run.id,
          at: run.createdAt,
          value: rate === null ? null : Math.round(rate * 1000) / 10,
          ...runWords[run.displayStatus],
        };
      })}
      onOpen={onOpen}
    />
  );
}
