/** @module How far two sets of sessions lie apart, by five measures, each from 0 (the same) to 1 (nothing in common). Pure. */
import type { CalibrationMeasure } from "@fettle/contract/visitors";
import type { SessionFacts } from "./session-facts.ts";

type Sessions = readonly SessionFacts[];

export interface Measure {
  id: CalibrationMeasure;
  /** As a number for people; null where there is none. */
  worth(sessions: Sessions): number | null;
  /** Null: one of the two has nothing to be measured by. */
  distance(real: Sessions, simulated: Sessions): number | null;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const shareOf = (test: (facts: SessionFacts) => boolean) => (sessions: Sessions) =>
  sessions.length === 0 ? null : sessions.filter(test).length / sessions.length;

const callsOf = ({ tools }: SessionFacts) => sum(Object.values(tools));
const reachedShare = shareOf(({ reached }) => reached);
const abandonedShare = shareOf(({ abandoned }) => abandoned);

function errorRate(sessions: Sessions): number | null {
  const calls = sum(sessions.map(callsOf));
  return calls === 0 ? null : sum(sessions.map(({ failedCalls }) => failedCalls)) / calls;
}

/** A session in which nothing was called counts as one call of nothing: that is a way to use tools, too. */
export const noTool = "";

/** The share of each tool in all calls. */
export function toolShares(sessions: Sessions): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tools } of sessions) {
    const used = Object.entries(tools);
    for (const [name, count] of used.length === 0 ? [[noTool, 1] as const] : used) {
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
  }
  const total = sum([...counts.values()]);
  return new Map([...counts].map(([name, count]) => [name, count / total]));
}

/** The part of calls that would have to be of another tool. */
function mixDistance(real: Sessions, simulated: Sessions): number | null {
  if (real.length === 0 || simulated.length === 0) return null;
  const [one, other] = [toolShares(real), toolShares(simulated)];
  const names = new Set([...one.keys(), ...other.keys()]);
  return sum([...names].map((name) => Math.abs((one.get(name) ?? 0) - (other.get(name) ?? 0)))) / 2;
}

/** Shortest beside shortest, longest beside longest: the part of all turns that one has and the other has not. */
function turnsDistance(real: Sessions, simulated: Sessions): number | null {
  const sorted = (sessions: Sessions) => sessions.map(({ turns }) => turns).sort((a, b) => a - b);
  const [one, other] = [sorted(real), sorted(simulated)];
  const pairs = one.map((turns, at) => [turns, other[at] ?? 0] as const);
  const most = sum(pairs.map(([a, b]) => Math.max(a, b)));
  return most === 0 ? null : 1 - sum(pairs.map(([a, b]) => Math.min(a, b))) / most;
}

const apart =
  (worth: Measure["worth"]): Measure["distance"] =>
  (real, simulated) => {
    const [one, other] = [worth(real), worth(simulated)];
    return one === null || other === null ? null : Math.abs(one - other);
  };

export const measures: readonly Measure[] = [
  {
    id: "turns",
    worth: (sessions) =>
      sessions.length === 0 ? null : sum(sessions.map(({ turns }) => turns)) / sessions.length,
    distance: turnsDistance,
  },
  { id: "toolMix", worth: () => null, distance: mixDistance },
  { id: "errorRate", worth: errorRate, distance: apart(errorRate) },
  { id: "goalCompletion", worth: reachedShare, distance: apart(reachedShare) },
  { id: "abandonment", worth: abandonedShare, distance: apart(abandonedShare) },
];
