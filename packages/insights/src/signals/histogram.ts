/** @module How values are spread, to two digits: enough for shares and medians, and a few hundred numbers however many values there are. Pure. */
import type { Spread } from "../detectors/detector.ts";

export type Histogram = Map<number, number>;

const digits = 2;
/** 1234 is counted as 1200. */
const rounded = (value: number) => Math.max(0, Number(value.toPrecision(digits)));

export function addTo(histogram: Histogram, values: readonly number[]): void {
  for (const value of values) histogram.set(rounded(value), (histogram.get(rounded(value)) ?? 0) + 1);
}

/** What is left of one without another that is part of it. */
export function without(whole: Histogram, part: Histogram): Histogram {
  return new Map(
    [...whole].map(([value, count]): [number, number] => [value, count - (part.get(value) ?? 0)]),
  );
}

export function spreadOf(histogram: Histogram): Spread {
  const sorted = [...histogram].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return {
    count: total,
    at: (share) => {
      let left = Math.max(1, Math.ceil(total * share));
      for (const [value, count] of sorted) {
        left -= count;
        if (left <= 0) return value;
      }
      return null;
    },
    from: (least) => sorted.reduce((sum, [value, count]) => sum + (value >= least ? count : 0), 0),
  };
}
