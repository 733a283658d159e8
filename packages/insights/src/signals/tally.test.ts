/** @module What a detector has seen, added up, and what of it is enough to be told. */
import { describe, expect, test } from "vitest";
import type { Detector, Hit, Sight, World } from "../detectors/detector.ts";
import { detectors } from "../detectors/registry.ts";
import { factsReader } from "../facts/read-unit.ts";
import type { CallFacts, Excerpt, UnitFacts } from "../facts/unit-facts.ts";
import { seeded, snapshot } from "../testing/bookshop.ts";
import { judge } from "../testing/mined.ts";
import { clean } from "../testing/plant.ts";
import { detectedSignals } from "./detected-signals.ts";
import { addUnit, tallyOf } from "./tally.ts";

const usual = factsReader({ snapshots: [snapshot], judge })(clean("eval_run", "usual", seeded(1)));
const unit = (unitId: string, over: Partial<UnitFacts> = {}): UnitFacts => ({ ...usual, unitId, ...over });
const world = {} as World;

const subject = { kind: "tool", id: "t", label: "get_order" };
const place = { serverId: "srv", toolName: "get_order" };
const hit = (over: Partial<Hit> = {}): Hit => ({ place, times: 1, ...over });
const shows = (...hits: Hit[]): Sight => ({ subject, hits });

/** A detector's meaning and texts, without ways of its own to count. */
const { sliceOf: _slice, keeps: _keeps, ...plain } = detectors[0]!;

/** All that these conversations showed to a detector, which tells what it is told to see. */
function told(seen: readonly [UnitFacts, ...Sight[]][], over: Partial<Detector> = {}) {
  const sights = new Map(seen.map(([{ unitId }, ...rest]) => [unitId, rest]));
  const detector: Detector = {
    ...plain,
    least: { units: 1, share: 0 },
    fires: () => true,
    evidence: ["transcript"],
    see: ({ unitId }) => sights.get(unitId) ?? [],
    ...over,
  };
  const tally = tallyOf(detector);
  for (const [facts] of seen) addUnit(tally, facts, world);
  return detectedSignals(tally, world);
}

describe("a signal", () => {
  test("counts conversations, and of those that could have shown it all", () => {
    const [signal] = told([
      [unit("a"), shows(hit(), hit({ times: 2 }), hit({ isQuiet: true }))],
      [unit("b"), shows()],
      [unit("c"), { slice: "other" }],
    ]);
    expect(signal).toMatchObject({ count: 1, exercised: 2 });
    expect(signal?.remedies).toMatchObject([
      { shown: { count: 1, total: 2, times: 3, rate: 0.5, restRate: null } },
    ]);
  });

  test("has as contrast what could have shown it and did not, unless that failed", () => {
    const contrasts = (facts: UnitFacts, ...hits: Hit[]) =>
      told([
        [unit("a"), shows(hit())],
        [facts, shows(...hits)],
      ])[0]?.remedies[0]?.contrasts.map(({ unitId }) => unitId);
    expect(contrasts(unit("b"))).toEqual(["b"]);
    expect(contrasts(unit("b"), hit({ isQuiet: true }))).toEqual(["b"]);
    expect(contrasts(unit("b", { verdict: "failed" }))).toEqual([]);
    expect(contrasts(unit("b"), hit(), hit({ isQuiet: true }))).toEqual([]);
  });

  test("is called by its newest name", () => {
    const labelled = (label: string): Sight => ({ subject: { ...subject, label }, hits: [hit()] });
    const [signal] = told([
      [unit("b", { startedAt: 1 }), labelled("old")],
      [unit("a", { startedAt: 2 }), labelled("new")],
    ]);
    expect(signal?.subject.label).toBe("new");
  });

  test("is held against the others of its kind", () => {
    const other: Sight = { subject: { ...subject, id: "o" }, hits: [hit()] };
    const idle: Sight = { subject: { ...subject, id: "o" }, hits: [] };
    const [signal] = told([
      [unit("a"), shows(hit()), other],
      [unit("b"), shows(hit()), idle],
      [unit("c"), idle],
      [unit("d"), idle],
      [unit("e"), idle],
    ]).filter(({ subject: { id } }) => id === "t");
    expect(signal?.remedies[0]?.shown).toMatchObject({ rate: 1, restRate: 0.2 });
  });

  test("has its measured values apart from those of the others", () => {
    const other: Sight = { subject: { ...subject, id: "o" }, hits: [], values: [1, 2, 3] };
    const [signal] = told([
      [unit("a"), { ...shows(hit()), values: [10] }, other],
      [unit("b"), { ...shows(), values: [20] }],
    ]);
    const { values, rest } = signal!.remedies[0]!.shown;
    expect([values.count, rest.count]).toEqual([2, 3]);
  });

  test("is told from as many conversations, and as large a share, as its detector asks", () => {
    const shown = (count: number, of: number) =>
      told(
        Array.from({ length: of }, (_, at) => [unit(`u${at}`), shows(...(at < count ? [hit()] : []))]),
        { least: { units: 2, share: 0.5 } },
      ).length;
    expect([shown(1, 1), shown(2, 4), shown(2, 5), shown(3, 5)]).toEqual([0, 1, 0, 1]);
    expect(told([[unit("a"), shows(hit())]], { fires: ({ count }) => count > 1 })).toEqual([]);
  });
});

describe("what a signal keeps of its conversations", () => {
  test("is who met it, in which tasks, with which arguments, and how it was judged", () => {
    const named = (id: string) => ({ id, label: `${id}!` });
    const [signal] = told([
      [
        unit("a", { case: named("c1"), isGating: true, verdict: "failed", modelClass: "rules" }),
        shows(hit({ digests: ["d1", "d2"], tally: { lost: 1 } })),
      ],
      [
        unit("b", { case: named("c2"), isGating: true, verdict: "passed", modelClass: "live" }),
        shows(
          hit({ digests: ["d2"], tally: { lost: 2, found: 1 } }),
          hit({ isQuiet: true, tally: { lost: 1 } }),
        ),
      ],
    ]);
    expect(signal?.remedies).toMatchObject([
      {
        tasks: ["c1!", "c2!"],
        digests: ["d1", "d2"],
        ofRules: 1,
        hasGatingFailure: true,
        shown: { contributors: 2, tally: { lost: 4, found: 1 }, times: 2 },
      },
    ]);
  });

  test.each([
    ["a failure that decides nothing", { isGating: false, verdict: "failed" }],
    ["a pass", { isGating: true, verdict: "passed" }],
  ] as const)("is no gating failure after %s", (_, over) => {
    expect(told([[unit("a", over), shows(hit())]])[0]?.remedies[0]?.hasGatingFailure).toBe(false);
  });

  test("are the examples in which it showed most often, then the newest", () => {
    const at = (unitId: string, startedAt: number, times: number): [UnitFacts, Sight] => [
      unit(unitId, { startedAt }),
      shows(hit({ times })),
    ];
    const [signal] = told([at("old", 1, 1), at("new", 9, 1), at("often", 1, 5), at("newer", 10, 1)]);
    expect(signal?.remedies[0]?.examples.map(({ unitId, times }) => [unitId, times])).toEqual([
      ["often", 5],
      ["newer", 1],
      ["new", 1],
    ]);
  });

  test("are its journeys where there are no cases, and who met it counts once", () => {
    const journey = { id: "j", label: "Buys a book" };
    const over = { case: null, persona: null, modelId: null, journey };
    const [signal] = told([
      [unit("a", over), shows(hit())],
      [unit("b", over), shows(hit())],
    ]);
    expect(signal?.remedies).toMatchObject([{ tasks: ["Buys a book"], shown: { contributors: 1 } }]);
  });

  test("are in the order of their names, where nothing else tells them apart", () => {
    const [signal] = told(["b", "c", "a"].map((id) => [unit(id), shows(hit())]));
    expect(signal?.remedies[0]?.examples.map(({ unitId }) => unitId)).toEqual(["a", "b", "c"]);
  });

  test("is one remedy of the parts that were judged apart and hold", () => {
    const parts = shows(
      hit({ group: "a", tally: { bad: 2 }, times: 2, digests: ["d1"] }),
      hit({ group: "b", tally: { bad: 3 }, times: 3, digests: ["d2"] }),
      hit({ group: "c", tally: { bad: 0 }, times: 5, digests: ["d3"] }),
    );
    const keeps = ({ bad = 0 }: Readonly<Record<string, number>>) => bad > 0;
    const facts = unit("a", { modelClass: "rules", isGating: true, verdict: "failed" });
    const other = unit("b", { modelClass: "rules", case: null, journey: null });
    const [signal] = told(
      [
        [facts, parts],
        [other, shows(hit({ group: "b", tally: { bad: 1 } }))],
      ],
      { keeps },
    );
    expect(signal?.remedies).toMatchObject([
      {
        ofRules: 2,
        hasGatingFailure: true,
        digests: ["d1", "d2"],
        tasks: [usual.case?.label],
        examples: [
          { unitId: "a", times: 3 },
          { unitId: "a", times: 2 },
          { unitId: "b", times: 1 },
        ],
        shown: { count: 2, times: 6, tally: { bad: 6 }, contributors: 2 },
      },
    ]);
  });
});

describe("a passage that shows it", () => {
  const failed: CallFacts = {
    ...usual.calls[0]!,
    index: 0,
    turn: 1,
    toolName: "cancel_order",
    end: "error",
    errorCode: "LOST",
    template: "no order {}",
  };
  const excerpt = (over: Partial<Excerpt>): Excerpt => ({
    kind: "transcript",
    text: "Cancel it",
    messageIndex: 4,
    ...over,
  });
  const passages = (evidence: Detector["evidence"], facts: Partial<UnitFacts>, over: Partial<Hit>) =>
    told([[unit("a", { calls: [failed], ...facts }), shows(hit(over))]], { evidence })[0]?.remedies[0]
      ?.examples[0]?.passages;
  const about = { toolName: "cancel_order", errorCode: "LOST" };
  const inTurn = excerpt({ turn: 1 });

  test.each<[string, Partial<UnitFacts>, Partial<Hit>, object[]]>([
    [
      "the error's own words, where they are kept",
      { excerpts: [excerpt({ kind: "tool_error", text: "no order 17", call: 0, messageIndex: 7 }), inTurn] },
      { call: 0 },
      [{ kind: "tool_error", text: "no order 17", ...about, messageIndex: 7 }],
    ],
    [
      "its template, where they are not, at the message of its turn",
      { excerpts: [excerpt({ text: "Hello", turn: 0, messageIndex: 0 }), inTurn] },
      { call: 0 },
      [{ kind: "tool_error", text: "no order {}", ...about, messageIndex: 4 }],
    ],
    [
      "that there are no words",
      { calls: [{ ...failed, template: null, errorCode: null }], excerpts: [] },
      { call: 0 },
      [{ kind: "tool_error", text: "The error has no words.", toolName: "cancel_order" }],
    ],
    [
      "our words, of a call that did not fail",
      { calls: [{ ...failed, end: "ok", errorCode: null }], excerpts: [inTurn] },
      { call: 0, seen: "took 9 s" },
      [{ kind: "tool_error", text: "took 9 s", toolName: "cancel_order", messageIndex: 4 }],
    ],
    [
      "our words and the place's tool, without a call",
      { excerpts: [inTurn] },
      { turn: 1, seen: "was never called" },
      [{ kind: "tool_error", text: "was never called", toolName: "get_order", messageIndex: 4 }],
    ],
    ["nothing, where nothing was said", { excerpts: [] }, { turn: 1 }, []],
  ])("of an error is %s", (_, facts, over, expected) => {
    expect(passages(["tool_error", "contrast"], facts, over)).toEqual(expected);
  });

  test.each<[string, Excerpt[], Partial<Hit>, object[]]>([
    [
      "of its turn",
      [excerpt({ text: "Hello", turn: 0 }), inTurn, excerpt({ text: "Bye", turn: 2 })],
      { turn: 1 },
      [{ kind: "transcript", text: "Cancel it", toolName: "get_order", messageIndex: 4 }],
    ],
    [
      "of its call's turn, after our words",
      [excerpt({ text: "Hello", turn: 0 }), inTurn],
      { call: 0, seen: "Three times:" },
      [{ kind: "transcript", text: "Three times: Cancel it", ...about, messageIndex: 4 }],
    ],
    [
      "the last, where its turn has none",
      [excerpt({ text: "Hello", turn: 0 }), excerpt({ text: "Bye", messageIndex: null })],
      { turn: 5 },
      [{ kind: "transcript", text: "Bye", toolName: "get_order" }],
    ],
    ["none, where none is kept", [excerpt({ kind: "judge" })], { turn: 1 }, []],
  ])("of what was said is %s", (_, excerpts, over, expected) => {
    expect(passages(["transcript"], { excerpts }, over)).toEqual(expected);
  });

  test("of a judge and of people are all that are kept", () => {
    const excerpts = [
      excerpt({ kind: "judge", text: "Wrong." }),
      excerpt({ kind: "feedback", text: "Bad.", messageIndex: 0 }),
      excerpt({ kind: "judge", text: "Late.", messageIndex: null }),
    ];
    expect(passages(["judge", "feedback"], { excerpts }, {})).toEqual([
      { kind: "judge", text: "Wrong.", messageIndex: 4 },
      { kind: "judge", text: "Late." },
      { kind: "feedback", text: "Bad.", messageIndex: 0 },
    ]);
  });
});
