/** @module Whether a figure changed since an earlier report, or only its noise. */

import { seededRandom } from "../packages/service/src/testing/fuzz/random.ts";
import { median, type Row } from "./bench.ts";
import type { Report } from "./report.ts";

/** `unclear`: the interval holds both a change that matters and none. `not judged`: nothing tells a change from noise. */
export type Verdict = "better" | "worse" | "same" | "unclear" | "not judged";

type Figure = Omit<Row, "spread">;

export interface Comparison {
  bench: string;
  what: string;
  unit: string;
  before: number;
  now: number;
  /** Of now against before, 99%: of some thirty rows, one in three reports would otherwise show a change that is none. */
  interval?: [number, number];
  verdict: Verdict;
}

/** A smaller change is not worth a look. */
const worthALook = 0.03;
const resamples = 4_000;
const tail = 0.005;
const fewestRounds = 5;

/** Seconds and rates are a machine's; only what was measured beside a yardstick can be held against another day. */
const comparableUnits = new Set(["x", "%", "", "MiB"]);

/** Row by row, by name; what only one of the two has is left out. */
export function compareReports(before: Report, now: Report): Comparison[] {
  return now.rows.flatMap((row) => {
    const earlier = before.rows.find(({ bench, what }) => bench === row.bench && what === row.what);
    return earlier ? [compareRows(row.bench, earlier, row)] : [];
  });
}

export function compareRows(bench: string, before: Figure, now: Figure): Comparison {
  const { what, unit, goal } = now;
  const compared = { bench, what, unit, before: before.value, now: now.value };
  const [old, recent] = [before.rounds ?? [], now.rounds ?? []];
  if (!goal || !comparableUnits.has(unit) || Math.min(old.length, recent.length) < fewestRounds)
    return { ...compared, verdict: "not judged" };
  const interval = quotientInterval(old, recent);
  const [low, high] = interval;
  // Turned so that above one is better.
  return { ...compared, interval, verdict: judge("atLeast" in goal ? interval : [1 / high, 1 / low]) };
}

function judge([low, high]: [number, number]): Verdict {
  if (high < 1 / (1 + worthALook)) return "worse";
  if (low > 1 + worthALook) return "better";
  return low >= 1 / (1 + worthALook) && high <= 1 + worthALook ? "same" : "unclear";
}

/** Bootstrap: the medians of rounds that are taken again and again from those there are. The same rounds give the same interval. */
function quotientInterval(before: readonly number[], now: readonly number[]): [number, number] {
  const random = seededRandom(0xbe9c);
  const again = (rounds: readonly number[]) => median(rounds.map(() => random.pick(rounds)));
  const quotients = Array.from({ length: resamples }, () => again(now) / again(before)).toSorted(
    (one, other) => one - other,
  );
  const at = (share: number) => quotients[Math.floor(share * (resamples - 1))] ?? Number.NaN;
  return [at(tail), at(1 - tail)];
}
