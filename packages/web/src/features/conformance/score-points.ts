/** @module Where the scores of runs stand in a drawing: time to the right, points upwards. */
import type { ConformanceRun } from "@fettle/contract";

export interface ScorePoint {
  run: ConformanceRun & { score: number };
  x: number;
  y: number;
}

/** Oldest first. A run that was not scored has no place: a gap is not a zero. */
export function scorePoints(
  runs: readonly ConformanceRun[],
  { width, height }: { width: number; height: number },
): ScorePoint[] {
  const scored = runs
    .filter((run): run is ScorePoint["run"] => run.score !== null)
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const first = scored[0]?.createdAt ?? 0;
  const span = (scored.at(-1)?.createdAt ?? 0) - first;
  return scored.map((run) => ({
    run,
    x: span === 0 ? width / 2 : ((run.createdAt - first) / span) * width,
    y: height - (run.score / 100) * height,
  }));
}
