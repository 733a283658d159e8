/** @module How figures look in a terminal. */
import { meets, type Row } from "./bench.ts";
import type { Comparison } from "./compare.ts";

export function rowLine(row: Row): string {
  const { what, value, unit, goal } = row;
  const wanted = goal ? `goal ${"atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`}` : "";
  const mark = goal ? (meets(row) ? "✓" : "✗") : " ";
  const spread = spreadOf(row);
  const between = spread ? `(${spread.map(format).join("–")})` : "";
  return `  ${mark} ${what.padEnd(64)} ${format(value).padStart(9)} ${unit.padEnd(6)} ${between.padEnd(12)} ${wanted}`.trimEnd();
}

const marks = { better: "▲", worse: "▼", same: "=", unclear: "?", "not judged": " " } as const;

export function comparisonLine({ bench, what, unit, before, now, interval, verdict }: Comparison): string {
  const figures = `${format(before).padStart(9)} → ${format(now).padStart(9)} ${unit.padEnd(6)}`;
  const times = interval ? `${interval.map((bound) => bound.toFixed(2)).join("–")}x` : "";
  return `  ${marks[verdict]} ${`${bench}: ${what}`.padEnd(76)} ${figures} ${times.padEnd(11)} ${verdict}`.trimEnd();
}

function spreadOf({ spread, rounds }: Row): readonly number[] | undefined {
  return spread ?? (rounds && [Math.min(...rounds), Math.max(...rounds)]);
}

function format(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}
