/** @module What all conversations together showed, added up one at a time. In any order the sums are the same, and they stay small. */
import { limits } from "@fettle/contract/core";
import { groupBy, type Some } from "@fettle/contract/formats";
import type { Detector, Exercised, Hit, Place, Seen, Subject, World } from "../detectors/detector.ts";
import type { Excerpt, UnitFacts } from "../facts/unit-facts.ts";
import { boundedMap, type Firsts, firsts, firstTexts } from "./bounded-collections.ts";
import { fingerprintPart } from "./fingerprint.ts";
import { addTo, type Histogram } from "./histogram.ts";

/** A conversation that can be opened, and what it shows. */
export interface Example {
  unitId: string;
  kind: UnitFacts["kind"];
  startedAt: number;
  times: number;
  passages: Passage[];
}

export interface Passage {
  kind: "tool_error" | "transcript" | "feedback" | "judge";
  text: string;
  toolName?: string;
  errorCode?: string;
  messageIndex?: number;
}

/** Everything with one remedy, or one part of it that is judged apart. */
export interface PlaceTally {
  place: Place;
  group: string;
  count: number;
  times: number;
  tally: Record<string, number>;
  ofRules: number;
  hasGatingFailure: boolean;
  contributors: Firsts<string>;
  tasks: Firsts<string>;
  digests: Firsts<string>;
  examples: Firsts<Example>;
}

export interface SignalTally {
  subject: Subject;
  /** The name is the newest one's. */
  labels: Firsts<Dated & { label: string }>;
  count: number;
  values: Histogram;
  places: ReturnType<typeof boundedMap<PlaceTally>>;
}

export type Clean = Pick<Example, "unitId" | "kind" | "startedAt">;

interface Slice {
  units: number;
  /** Conversations in which it could have shown and did not. */
  clean: Firsts<Clean>;
}

/** What one detector has seen. */
export interface DetectorTally {
  detector: Detector;
  signals: ReturnType<typeof boundedMap<SignalTally>>;
  slices: ReturnType<typeof boundedMap<Slice>>;
  /** All subjects of a kind together, to hold one against the rest. */
  kinds: Map<string, { units: number; count: number; values: Histogram }>;
}

/** So many are told apart; past them, which ones is decided by their names alone. */
const most = {
  signals: 500,
  slices: 1_000,
  places: 50,
  groups: 500,
  digests: 20,
  tasks: 3,
  contributors: 2,
};

type Dated = Pick<Example, "startedAt" | "unitId">;
const newestFirst = (one: Dated, other: Dated) =>
  other.startedAt - one.startedAt || (one.unitId < other.unitId ? -1 : one.unitId > other.unitId ? 1 : 0);
export const worstFirst = (one: Example, other: Example) =>
  other.times - one.times || newestFirst(one, other);

export function tallyOf(detector: Detector): DetectorTally {
  return { detector, signals: boundedMap(most.signals), slices: boundedMap(most.slices), kinds: new Map() };
}

export const subjectKey = ({ kind, id }: Pick<Subject, "kind" | "id">) =>
  `${fingerprintPart(kind)}:${fingerprintPart(id)}`;

export const sliceKey = (
  { detector }: Pick<DetectorTally, "detector">,
  subject: Pick<Subject, "kind" | "id">,
) => (detector.sliceOf ? fingerprintPart(detector.sliceOf(subject)) : subjectKey(subject));

export function addUnit(tally: DetectorTally, unit: UnitFacts, world: World): void {
  const sights = [...tally.detector.see(unit, world)];
  const seen = sights.filter((sight): sight is Seen => "subject" in sight);
  const exercised = new Set(
    sights.map((sight) =>
      "subject" in sight ? sliceKey(tally, sight.subject) : fingerprintPart(sight.slice),
    ),
  );
  const shown = new Set(
    seen.filter(({ hits }) => hits.some(isLoud)).map(({ subject }) => sliceKey(tally, subject)),
  );
  for (const key of exercised) addSlice(tally, key, unit, !shown.has(key));
  const subjects = groupBy(seen, ({ subject }) => subjectKey(subject));
  for (const [key, own] of subjects) addSubject(tally, key, own, unit);
}

const isLoud = ({ isQuiet }: Hit) => isQuiet !== true;

function addSlice(
  { slices }: DetectorTally,
  key: Exercised["slice"],
  unit: UnitFacts,
  isClean: boolean,
): void {
  const slice = slices.at(key, () => ({
    units: 0,
    clean: firsts<Clean>(limits.insights.evidence.contrasts, newestFirst),
  }));
  if (!slice) return;
  slice.units += 1;
  const { unitId, kind, startedAt } = unit;
  if (isClean && unit.verdict !== "failed") slice.clean.add({ unitId, kind, startedAt });
}

function addSubject(
  { detector, signals, kinds }: DetectorTally,
  key: string,
  seen: Readonly<Some<Seen>>,
  unit: UnitFacts,
) {
  const [{ subject }] = seen;
  const hits = seen.flatMap((one) => one.hits);
  const values = seen.flatMap((one) => one.values ?? []);
  const kind = kinds.get(subject.kind) ?? { units: 0, count: 0, values: new Map() };
  kinds.set(subject.kind, kind);
  kind.units += 1;
  kind.count += hits.some(isLoud) ? 1 : 0;
  addTo(kind.values, values);
  if (hits.length === 0 && values.length === 0) return;
  const signal = signals.at(key, () => ({
    subject,
    labels: firsts<Dated & { label: string }>(1, newestFirst),
    count: 0,
    values: new Map(),
    places: boundedMap(detector.keeps ? most.groups : most.places),
  }));
  if (!signal) return;
  signal.count += hits.some(isLoud) ? 1 : 0;
  signal.labels.add({ startedAt: unit.startedAt, unitId: unit.unitId, label: subject.label });
  addTo(signal.values, values);
  const places = groupBy(hits, ({ place, group }) => JSON.stringify([place, group ?? ""]));
  for (const [placeKey, own] of places) {
    const into = signal.places.at(placeKey, () => newPlace(own[0]));
    if (into) addHits(into, own, unit, detector);
  }
}

function newPlace({ place, group = "" }: Hit): PlaceTally {
  return {
    place,
    group,
    count: 0,
    times: 0,
    tally: {},
    ofRules: 0,
    hasGatingFailure: false,
    contributors: firstTexts(most.contributors),
    tasks: firstTexts(most.tasks),
    digests: firstTexts(most.digests),
    examples: firsts(limits.insights.evidence.examples, worstFirst),
  };
}

function addHits(into: PlaceTally, hits: readonly Hit[], unit: UnitFacts, detector: Detector): void {
  for (const { tally = {} } of hits) {
    for (const [name, count] of Object.entries(tally)) into.tally[name] = (into.tally[name] ?? 0) + count;
  }
  const loud = hits.filter(isLoud);
  const [first] = loud;
  if (!first) return;
  const times = loud.reduce((sum, hit) => sum + hit.times, 0);
  into.count += 1;
  into.times += times;
  into.ofRules += unit.modelClass === "rules" ? 1 : 0;
  into.hasGatingFailure ||= unit.isGating && unit.verdict === "failed";
  const task = unit.case ?? unit.journey;
  if (task) into.tasks.add(task.label);
  const contributor = [unit.case?.id, unit.persona?.id, unit.modelId]
    .filter((part) => part != null)
    .join("\n");
  into.contributors.add(contributor);
  for (const digest of loud.flatMap(({ digests = [] }) => digests)) into.digests.add(digest);
  const { unitId, kind, startedAt } = unit;
  into.examples.add({ unitId, kind, startedAt, times, passages: passagesOf(first, unit, detector) });
}

/** What of the conversation shows it: the passage of that call or turn, else our own words for it. */
function passagesOf({ call, turn, seen, place }: Hit, unit: UnitFacts, { evidence }: Detector): Passage[] {
  const facts = call === undefined ? undefined : unit.calls[call];
  const toolName = facts?.toolName ?? place.toolName;
  const about = {
    ...(toolName && { toolName }),
    ...(facts?.errorCode && { errorCode: facts.errorCode }),
  };
  return evidence.flatMap((kind): Passage[] => {
    if (kind === "contrast") return [];
    const kept = unit.excerpts.filter((excerpt) => excerpt.kind === kind);
    const inTurn = ({ turn: one }: Excerpt) => one !== undefined && one === (turn ?? facts?.turn);
    if (kind === "tool_error") {
      const said = kept.find((excerpt) => excerpt.call === call);
      const where = placeOf(said ?? unit.excerpts.find(inTurn));
      if (facts?.end !== "error") return seen === undefined ? [] : [{ kind, text: seen, ...about, ...where }];
      const text = said?.text ?? facts.template ?? "";
      return [{ kind, text: text === "" ? "The error has no words." : text, ...about, ...where }];
    }
    if (kind === "transcript") {
      const said = kept.find(inTurn) ?? kept.at(-1);
      const text = [seen, said?.text].filter((part) => part !== undefined && part !== "").join(" ");
      return text === "" ? [] : [{ kind, text, ...about, ...placeOf(said) }];
    }
    return kept.map((said) => ({ kind, text: said.text, ...placeOf(said) }));
  });
}

const placeOf = (said: Excerpt | undefined) =>
  said?.messageIndex == null ? {} : { messageIndex: said.messageIndex };
