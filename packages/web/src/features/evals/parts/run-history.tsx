/** @module The pass rate of a suite, run by run. */
import type { EvalRun } from "@fettle/contract/evals";
import { HistoryChart } from "../../../kit/history/history-chart.tsx";
import { runWord } from "../run-words.ts";

export interface RunHistoryProps {
  name: string;
  runs: readonly EvalRun[];
  more: boolean;
  onOpen: (runId: string) => void;
}

export function RunHistory({ name, runs: all, more, onOpen }: RunHistoryProps) {
  // A run of some cases is no measure of the suite.
  const runs = all.filter(({ isPartial }) => !isPartial);
  const rated = runs.filter(({ summary }) => summary?.passRate != null);
  const asked = rated[0]?.passCriteria.minimumPassRate ?? 100;
  return (
    <HistoryChart
      title="Pass rate, run by run"
      by="turn"
      about={`${rated.length} runs with a result${more ? ", older ones exist" : ""}. The dashed line is what must pass: ${asked} %.`}
      label={`Pass rate of ${name}`}
      unit=" %"
      border={asked}
      entries={runs.map((run) => ({
        id: run.id,
        at: run.createdAt,
        value: run.summary?.passRate == null ? null : Math.round(run.summary.passRate * 1000) / 10,
        ...runWord(run),
      }))}
      onOpen={onOpen}
    />
  );
}
