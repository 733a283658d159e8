import { expect, test } from "vitest";
import { inspectorLimits } from "../../inspector/limits.ts";
import { auditLimits, noticeLimits } from "../../notices/limits.ts";
import { sandboxLimits } from "../../sandboxes/limits.ts";
import { serverHistoryLimits } from "../../servers/history/limits.ts";
import { readinessLimits } from "../../servers/readiness/limits.ts";
import { registryLimits } from "../../servers/registry/limits.ts";
import { watchedLimits } from "../../servers/watched-limits.ts";
import { swarmLimits } from "../../visitors/swarms/limits.ts";
import { widgetLimits } from "../../widgets/limits.ts";
import { limits } from "./limits.ts";
import { day, MiB } from "./units.ts";

const all = {
  ...limits,
  audit: auditLimits,
  inspector: inspectorLimits,
  notices: noticeLimits,
  sandboxes: sandboxLimits,
  serverHistory: serverHistoryLimits,
  readiness: readinessLimits,
  registry: registryLimits,
  watched: watchedLimits,
  swarms: swarmLimits,
  widgets: widgetLimits,
};

/** Every number with the names that lead to it. */
function numbersOf(value: unknown, path: string[] = []): { name: string; last: string; value: number }[] {
  if (typeof value === "number") return [{ name: path.join("."), last: path.at(-1) ?? "", value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersOf(inner, [...path, key]));
}
const numbers = numbersOf(all);
const named = (pattern: RegExp) => numbers.filter(({ name }) => pattern.test(name));
const outside = (some: typeof numbers, least: number, most: number) =>
  some.filter(({ value }) => !(value >= least && value <= most)).map(({ name, value }) => ({ name, value }));

test("every limit is a number that something can stay within", () => {
  expect(numbers.length).toBeGreaterThan(300);
  expect(outside(numbers, 0, Number.MAX_SAFE_INTEGER)).toEqual([]);
});

test("only shares are no whole numbers", () => {
  const broken = numbers.filter(({ value }) => !Number.isInteger(value));
  expect(broken.filter(({ value }) => value > 1).map(({ name }) => name)).toEqual([]);
});

test("times are from a tenth of a second to half a year, sizes from a hundred bytes to some gigabytes", () => {
  expect(outside(named(/Ms$/), 100, 180 * day)).toEqual([]);
  expect(outside(named(/Bytes$/), 100, 4_096 * MiB)).toEqual([]);
});

test("what a turn, a call or a request may take ends within a day", () => {
  expect(outside(named(/(?:turn|call|request|step|run)Ms$/i), 1_000, day)).toEqual([]);
});

test("a range has its least before its most, and what is usual between them", () => {
  const ranges: string[] = [];
  const wrong: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    const { min = 0, max, fallback } = value as Record<string, unknown>;
    if (typeof max === "number") {
      ranges.push(path);
      const usual = typeof fallback === "number" ? fallback : max;
      if (!(Number(min) < max && Number(min) <= usual && usual <= max)) wrong.push(path);
    }
    for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`);
  };
  visit(all, "limits");
  expect(ranges.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});
