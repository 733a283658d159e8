/** @module How many of a run's visitors reached the goal, as a share; or why nobody knows. */
import type { JourneyRun } from "@fettle/contract/visitors";
import { percent } from "../../../lib/amounts.ts";
import { Unknown } from "../../../ui/unknown.tsx";
import { goalRate, goalText } from "../run-words.ts";

export function GoalRate({ run }: { run: Pick<JourneyRun, "goalCompletion"> }) {
  const rate = goalRate(run);
  if (rate === null) return <Unknown reason={goalText(run)} />;
  return (
    <span className="tabular-nums" title={goalText(run)}>
      {percent(rate)}
    </span>
  );
}
