/** @module How far simulated visitors lie from the real ones whose place they took, with intervals. Pure: the same sessions give the same report. */
import { must } from "@fettle/contract/formats";
import type { CalibrationReport } from "@fettle/contract/visitors";
import { measures, noTool, toolShares } from "./measures.ts";
import type { SessionFacts } from "./session-facts.ts";

export interface CalibrationPair {
  real: SessionFacts;
  simulated: SessionFacts;
}

/** Drawings of the bootstrap, and where its numbers begin: fixed, so that a report can be made again. */
const drawings = 1_000;
const seed = 0x5eed;
/** The middle 95 % of what was drawn. */
const tail = 0.025;

/**
 * @example
 * calibrate([{ real: factsOf(visit), simulated: factsOf(played) }]).overall.error // 0.12
 */
export function calibrate(pairs: readonly CalibrationPair[]): CalibrationReport {
  const real = pairs.map((pair) => pair.real);
  const simulated = pairs.map((pair) => pair.simulated);
  const next = numbersFrom(seed);
  const draw = <T>(items: readonly T[]): T[] =>
    Array.from(items, () => must(items[Math.floor(next() * items.length)], "one of what is drawn from"));
  // A real session and the one that took its place are drawn together: they are two answers to one question.
  const drawn = Array.from({ length: drawings }, () => {
    const again = draw(pairs);
    return distances(
      again.map((pair) => pair.real),
      again.map((pair) => pair.simulated),
    );
  });
  const byChance = Array.from({ length: drawings }, () => distances(draw(real), draw(real)));
  const all: Distances = { seen: distances(real, simulated), drawn, byChance };
  const [oneMix, otherMix] = [toolShares(real), toolShares(simulated)];
  return {
    sessions: pairs.length,
    measures: measures.map(({ id, worth }, at) => ({
      id,
      real: roundedOrNull(worth(real)),
      simulated: roundedOrNull(worth(simulated)),
      ...errorOf(all, (one) => one[at] ?? null),
    })),
    overall: errorOf(all, mean),
    tools: [...new Set([...oneMix.keys(), ...otherMix.keys()])].sort().map((name) => ({
      toolName: name === noTool ? null : name,
      real: rounded(oneMix.get(name) ?? 0),
      simulated: rounded(otherMix.get(name) ?? 0),
    })),
  };
}

type Distance = number | null;

/** One of each measure, in their order: between what was seen, in each resample, and between two that differ by chance alone. */
interface Distances {
  seen: readonly Distance[];
  drawn: readonly Distance[][];
  byChance: readonly Distance[][];
}

const distances = (real: readonly SessionFacts[], simulated: readonly SessionFacts[]): Distance[] =>
  measures.map(({ distance }) => distance(real, simulated));

/** Of what is known. */
function mean(values: readonly Distance[]): Distance {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function errorOf({ seen, drawn, byChance }: Distances, pick: (one: readonly Distance[]) => Distance) {
  const error = pick(seen);
  const sorted = drawn
    .map(pick)
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
  if (error === null || sorted.length === 0) return { error: null, low: null, high: null, chance: null };
  const at = (part: number) =>
    must(sorted[Math.round(part * (sorted.length - 1))], "a distance at each part of what was drawn");
  return {
    error: rounded(error),
    // Drawing adds chance of its own, so that a small error may lie below all that was drawn.
    low: rounded(Math.min(error, at(tail))),
    high: rounded(Math.max(error, at(1 - tail))),
    chance: roundedOrNull(mean(byChance.map(pick))),
  };
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
const roundedOrNull = (value: Distance) => (value === null ? null : rounded(value));

/** Numbers from 0 up to 1 that look drawn by lot, and are the same for the same beginning (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
