/** @module The score of one server over time. */
import type { ConformanceRun } from "@fettle/contract/servers";
import { HistoryChart } from "../../../kit/history/history-chart.tsx";
import { stateOf } from "../run-words.ts";

/** Above it nothing failed and nothing was left open. */
const border = 94;

export interface ScoreHistoryProps {
  name: string;
  runs: readonly ConformanceRun[];
  /** More runs exist than are drawn. */
  more: boolean;
  onOpen: (runId: string) => void;
}

export function ScoreHistory({ name, runs, more, onOpen }: ScoreHistoryProps) {
  const scored = runs.filter(({ score }) => score !== null).length;
  return (
    <HistoryChart
      title="Score over time"
      about={`${name}: ${scored} scored ${more ? "of the runs below, older ones exist" : "runs"}. Up to ${border} means that something failed or could not run.`}
      label={`Score of ${name}`}
      border={border}
      entries={runs.map((run) => ({ id: run.id, at: run.createdAt, value: run.score, ...stateOf(run) }))}
      onOpen={onOpen}
    />
  );
}
