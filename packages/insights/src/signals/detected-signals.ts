/** @module What of all that was seen is enough to be told: each detector's signals, and the remedies of each. Pure. */
import { limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { type Shown, type Subject, usualMinimum, type World } from "../detectors/detector.ts";
import { firsts } from "./bounded-collections.ts";
import { spreadOf, without } from "./histogram.ts";
import {
  type Clean,
  type DetectorTally,
  type Example,
  type PlaceTally,
  type SignalTally,
  sliceKey,
  worstFirst,
} from "./tally.ts";

export interface Fired {
  detector: DetectorTally["detector"];
  shown: Shown;
  ofRules: number;
  hasGatingFailure: boolean;
  tasks: readonly string[];
  digests: readonly string[];
  examples: readonly Example[];
  contrasts: readonly Clean[];
}

export interface FiredSignal {
  subject: Subject;
  count: number;
  exercised: number;
  remedies: Fired[];
}

export function detectedSignals(tally: DetectorTally, world: World): FiredSignal[] {
  return tally.signals.entries().flatMap(([, signal]) => {
    const subject = { ...signal.subject, label: signal.labels.all[0]?.label ?? signal.subject.label };
    const slice = tally.slices.get(sliceKey(tally, subject));
    const exercised = slice?.units ?? signal.count;
    const remedies = placesOf(tally, signal).flatMap((place): Fired[] => {
      const contrasts = slice?.clean.all ?? [];
      const shown = shownOf(tally, signal, subject, place, exercised);
      return isEnough(tally, shown, world)
        ? [{ ...partsOf(place), detector: tally.detector, shown, contrasts }]
        : [];
    });
    return remedies.length > 0 ? [{ subject, count: signal.count, exercised, remedies }] : [];
  });
}

const partsOf = ({ ofRules, hasGatingFailure, tasks, digests, examples }: PlaceTally) => ({
  ofRules,
  hasGatingFailure,
  tasks: tasks.all,
  digests: digests.all,
  examples: examples.all,
});

function isEnough({ detector }: DetectorTally, shown: Shown, world: World): boolean {
  const { units, share } = detector.least ?? usualMinimum;
  const isOften = shown.count >= units && shown.count / Math.max(1, shown.total) >= share;
  return isOften && (detector.fires?.(shown, world) ?? true);
}

/** Parts that were judged apart and count are told as one. */
function placesOf({ detector }: DetectorTally, signal: SignalTally): PlaceTally[] {
  const all = signal.places.entries().map(([, place]) => place);
  if (!detector.keeps) return all;
  const kept = all.filter(({ tally }) => detector.keeps?.(tally));
  return [...Map.groupBy(kept, ({ place }) => JSON.stringify(place)).values()].map((parts) =>
    parts.reduce((sum, part) => merged(sum, part, signal.count)),
  );
}

function merged(one: PlaceTally, other: PlaceTally, most: number): PlaceTally {
  const examples = firsts(limits.insights.evidence.examples, worstFirst);
  for (const example of [...one.examples.all, ...other.examples.all]) examples.add(example);
  const tally = { ...one.tally };
  for (const [name, count] of Object.entries(other.tally)) tally[name] = (tally[name] ?? 0) + count;
  for (const [into, from] of [
    [one.tasks, other.tasks],
    [one.contributors, other.contributors],
    [one.digests, other.digests],
  ] as const) {
    for (const text of from.all) into.add(text);
  }
  return {
    ...one,
    // A conversation may show several parts, and counts once.
    count: Math.min(most, one.count + other.count),
    times: one.times + other.times,
    ofRules: Math.min(most, one.ofRules + other.ofRules),
    hasGatingFailure: one.hasGatingFailure || other.hasGatingFailure,
    tally,
    examples,
  };
}

function shownOf(
  { kinds }: DetectorTally,
  signal: SignalTally,
  subject: Subject,
  place: PlaceTally,
  total: number,
): Shown {
  const kind = must(kinds.get(subject.kind), "the sums of each kind of subject");
  const others = kind.units - total;
  return {
    place: place.place,
    count: place.count,
    total,
    times: place.times,
    tally: place.tally,
    contributors: place.contributors.all.length,
    subject,
    values: spreadOf(signal.values),
    rest: spreadOf(without(kind.values, signal.values)),
    rate: total === 0 ? 0 : signal.count / total,
    restRate: others > 0 ? (kind.count - signal.count) / others : null,
  };
}
