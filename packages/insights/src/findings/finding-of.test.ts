import { describe, expect, test } from "vitest";
import { E, S, U } from "../detectors/detector.ts";
import type { ServerSnapshot } from "../observed/snapshot.ts";
import type { Unit } from "../observed/unit.ts";
import { conversation, failing, gave, seeded, serverId, snapshot } from "../testing/bookshop.ts";
import { findingsOf, minedOf } from "../testing/mined.ts";
import { fails, named, observed, type Plant } from "../testing/plant.ts";
import { plants } from "../testing/plants.ts";

const times = (count: number, make: (id: string, nth: number) => Unit) =>
  Array.from({ length: count }, (_, nth) => make(`s-${nth}`, nth));
const broken = (count: number, over: Partial<Unit> = {}, scope: Plant["scope"] = U) =>
  times(count, (id, nth) =>
    observed(scope, id, fails("cancel_order", { order_id: `o${nth}` }, "The till is offline"), over),
  );
const well = (count: number, order = (nth: number) => `w${nth}`) =>
  Array.from({ length: count }, (_, nth) =>
    observed(U, `w-${nth}`, [
      { user: "Cancel it", calls: [{ toolName: "cancel_order", arguments: { order_id: order(nth) } }] },
    ]),
  );
const changed = (over: Partial<ServerSnapshot>): ServerSnapshot => ({ ...snapshot, ...over });

describe("a change to a server is asked for", () => {
  const isReady = (units: Unit[], snapshots = [snapshot]) => {
    const [found] = findingsOf("tool_errors", minedOf(U, units, { snapshots }));
    return found && [found.actionability, found.target?.toolName];
  };

  test.each<[string, Unit[], ServerSnapshot[], (string | undefined)[]]>([
    ["where the tool is pinned and fails again and again", broken(4), [snapshot], ["ready", "cancel_order"]],
    ["and not where nobody pinned the server", broken(4), [], ["investigate", undefined]],
    [
      "and not where the same arguments mostly succeed",
      [...broken(4), ...well(4, (nth) => `o${nth}`)],
      [snapshot],
      ["investigate", "cancel_order"],
    ],
    ["though other arguments succeed", [...broken(4), ...well(8)], [snapshot], ["ready", "cancel_order"]],
  ])("%s", (_, units, snapshots, expected) => {
    expect(isReady(units, snapshots)).toEqual(expected);
  });

  test("only by what two of them show, and a rarity in many is not told", () => {
    expect(isReady(broken(1))).toBeUndefined();
    expect(isReady([...broken(2), ...well(50)])).toBeUndefined();
    expect(isReady([...broken(2), ...well(30)])).toEqual(["ready", "cancel_order"]);
  });
});

test("the target shows the definition as it was pinned, the newest that has the tool, and says so", () => {
  const older = changed({ hash: "c".repeat(64), takenAt: 1 });
  const without = changed({
    hash: "d".repeat(64),
    takenAt: 9_000,
    tools: snapshot.tools.filter(({ name }) => name !== "cancel_order"),
  });
  const [found] = findingsOf("tool_errors", minedOf(U, broken(4), { snapshots: [without, older, snapshot] }));
  expect(found?.target).toEqual({
    serverId,
    toolName: "cancel_order",
    surface: "handler",
    snapshotHash: `sha256:${snapshot.hash}`,
    currentDefinition: {
      truncated: false,
      description: "Cancel an order that was not delivered.",
      inputSchemaJson:
        '{"properties":{"order_id":{"description":"From the list of orders","type":"string"}},"required":["order_id"],"type":"object"}',
    },
  });
  expect(found?.observed).toBe(
    '4 failed calls of "cancel_order" in 4 of 4 sessions: "the till is offline"; several definitions were met, the newest is shown.',
  );
});

test("a title says in words which tool fails, and how", () => {
  expect(findingsOf("tool_errors", minedOf(U, broken(4)))[0]?.title).toBe(
    "cancel_order fails: the till is offline",
  );
});

test("a long definition is cut, and the answer says so", () => {
  const tools = snapshot.tools.map((tool) => ({ ...tool, description: "long ".repeat(400) }));
  const mined = minedOf(U, broken(4), { snapshots: [changed({ tools })] });
  expect(mined.isContractTruncated).toBe(true);
  const { description, truncated } = mined.findings[0]!.target!.currentDefinition!;
  expect([description?.length, truncated]).toEqual([1_000, true]);
});

test("a model by rules shows how findable the words are, and no more", () => {
  const plant = plants.find(({ detector }) => detector === "wrong_tool_selected")!;
  const of = (modelClass: "rules" | "live") =>
    times(6, (id, nth) => ({ ...plant.unit(id, seeded(nth), nth), model: { id: "m", modelClass } }));
  const said = (units: Unit[]) => {
    const [found] = findingsOf("wrong_tool_selected", minedOf(E, units));
    return [found?.actionability, found?.confidence, found?.title];
  };
  const title = "lookup_books is chosen where search_books was meant";
  expect(said(of("live"))).toEqual(["ready", "high", title]);
  expect(said(of("rules"))).toEqual(["informational", "low", `lexical: ${title}`]);
});

test("a failure that decided a verdict is never a small thing", () => {
  const rare = [
    ...broken(2, { verdict: "failed", isGating: true }, E),
    ...well(30).map((unit) => ({ ...unit, kind: "iteration" as const })),
  ];
  expect(findingsOf("tool_errors", minedOf(E, rare))[0]?.severity).toBe("medium");
});

test("a failure that decided a verdict counts in whichever of several parts it happened", () => {
  const choices = (user: string, tools: readonly string[], over: Partial<Unit> = {}) =>
    tools.map((toolName, nth) =>
      observed(E, `${user}-${nth}`, [{ user, calls: [{ toolName, arguments: { query: "any" } }] }], over),
    );
  const [search, lookup] = ["search_books", "lookup_books"] as const;
  const mixed = [search, lookup, search, lookup, search];
  const severityOf = (over: Partial<Unit>) => {
    const units = [
      ...choices("Essays on bread please", mixed),
      ...choices("Poems about whales please", mixed, over),
      ...choices("Maps of old harbours please", Array(90).fill(search)),
    ];
    return findingsOf("ambiguous_tool_pair", minedOf(E, units))[0]?.severity;
  };
  expect(severityOf({ verdict: "failed", isGating: false })).toBe("low");
  expect(severityOf({ verdict: "failed", isGating: true })).toBe("medium");
});

test.each([
  [0.69, 0],
  [0.7, 1],
  [0.75, 1],
  [0.76, 0],
])("a score of %s is told as passed only just where 0.7 passes: %i times", (score, told) => {
  const scored = {
    journey: named("jo_just"),
    judge: { passed: true, score, threshold: 0.7, reason: "Fine." },
  };
  const units = times(6, (id) => observed(S, id, [{ user: "Order it" }], scored));
  expect(findingsOf("marginal_pass", minedOf(S, units))).toHaveLength(told);
});

test("little seen is little sure", () => {
  const mined = minedOf(U, broken(5), { total: 100 });
  expect(mined.coverage).toMatchObject({ analyzed: 5, total: 100, truncated: true, lowConfidence: true });
  expect(findingsOf("tool_errors", mined)[0]?.confidence).toBe("medium");
  expect(mined.summary).toContain("Coverage 5/100.");
  expect(findingsOf("tool_errors", minedOf(U, broken(5)))[0]?.confidence).toBe("high");
});

test("the criteria name the cases to run again", () => {
  const units = ["c", "a", "d", "b"].map((id, nth) => broken(1, { id: `s-${nth}`, case: named(id) }, E)[0]!);
  const { acceptanceCriteria, id } = findingsOf("tool_errors", minedOf(E, units))[0]!;
  expect(acceptanceCriteria[0]).toBe(`Re-run "a", "b", "c": ${id} does not fire.`);
});

test("a finding opens a conversation beside it in which it went well", () => {
  const [{ evidence } = { evidence: [] }] = findingsOf("tool_errors", minedOf(U, [...broken(5), ...well(3)]));
  expect(evidence.map(({ kind, sessionId }) => [kind, sessionId])).toEqual([
    ["tool_error", "s-4"],
    ["tool_error", "s-3"],
    ["tool_error", "s-2"],
    ["contrast", "w-2"],
  ]);
  expect(evidence[0]).toMatchObject({
    excerpt: "The till is offline",
    toolName: "cancel_order",
    messageIndex: expect.any(Number),
  });
});

describe("what a specific detector tells, a general one does not tell again", () => {
  test.each<[string, Plant["scope"], Unit[]]>([
    [
      "hallucinated_tool",
      S,
      times(4, (id) =>
        observed(S, id, [{ user: "Wrap", calls: [{ toolName: "wrap", serverId: null, end: "unsent" }] }]),
      ),
    ],
    ["auth_interrupted", U, times(4, (id) => observed(U, id, fails("list_orders", {}, "401 Unauthorized")))],
    ["rate_limited", U, times(4, (id) => observed(U, id, fails("list_orders", {}, "Too many requests")))],
    ["timeout_recurring", U, times(4, (id) => observed(U, id, fails("list_orders", {}, "Timed out")))],
    ["opaque_errors", U, times(4, (id) => observed(U, id, fails("list_orders", {}, "")))],
    [
      "schema_invalid_args",
      U,
      times(4, (id) => observed(U, id, fails("list_orders", { cursor: 7 }, "Exploded"))),
    ],
    [
      "server_rejects_valid_args",
      U,
      times(4, (id) => observed(U, id, fails("list_orders", {}, '"cursor" is required'))),
    ],
  ])("%s", (detector, scope, units) => {
    const mined = minedOf(scope, units);
    expect(findingsOf(detector, mined)).toHaveLength(1);
    expect(findingsOf("tool_errors", mined)).toEqual([]);
  });
});

test("what a visitor wrote opens the conversation where it was written", () => {
  const sad = { feedback: { isNegative: true, comment: "It never worked.", messageIndex: 7 } };
  const [{ evidence } = { evidence: [] }] = findingsOf("negative_feedback", minedOf(U, broken(4, sad)));
  expect(evidence[0]).toMatchObject({ kind: "feedback", excerpt: "It never worked.", messageIndex: 7 });
});

test("what a visitor meant by a bad rating is told as what went wrong in the same sessions", () => {
  const sad = { feedback: { isNegative: true, comment: "It never worked." } };
  expect(findingsOf("negative_feedback", minedOf(U, broken(4, sad)))[0]?.category).toBe("tool_runtime");
});

test("a list that nobody finished, values nested without end and endless texts are read all the same", () => {
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 20_000; level += 1) deep = { deep };
  const long = "whales?! ".repeat(100_000);
  const units = times(3, (id) =>
    conversation(id, [
      {
        user: long,
        answer: long,
        calls: [
          { toolName: "get_book", arguments: deep, result: deep },
          { toolName: "get_book", ...failing(long), result: gave(`{"password": ${"[".repeat(5_000)}`) },
          ...Array.from({ length: 300 }, (_, nth) => ({
            toolName: "get_book",
            arguments: { book_id: `b${nth}` },
          })),
        ],
      },
    ]),
  );
  const mined = minedOf(U, units);
  expect(JSON.stringify(mined).length).toBeLessThan(100_000);
});

describe("what a case means to happen is no problem", () => {
  const pinned = (call: object, verdict: "passed" | "failed") =>
    times(4, (id) =>
      observed(E, id, [{ user: "", calls: [{ toolName: "cancel_order", isPinned: true, ...call }] }], {
        turns: [{ user: null, answer: null, messageIndex: 0 }],
        verdict,
      }),
    );
  const expectation = { isNegative: true, namedTools: [], turns: [], failedPredicates: [], lints: [] };
  const refused = (user: string) =>
    times(4, (id) => observed(E, id, [{ user, answer: "I cannot do that." }], { expectation }));
  const provoked = { arguments: { order_id: "gone" }, ...failing("The till is offline") };

  test.each<[string, Unit[], string[]]>([
    ["a call that the test makes and that goes well", pinned({ arguments: { order_id: "1" } }, "passed"), []],
    ["an error that it provokes", pinned(provoked, "passed"), []],
    ["arguments that it sends wrong", pinned({ arguments: { order_id: 7 } }, "passed"), []],
    ["an error that it did not mean", pinned(provoked, "failed"), ["tool_errors"]],
    ["declining what no tool does", refused("Translate the poem"), []],
    ["declining what it must not do", refused("Cancel the order"), []],
  ])("%s", (_, units, expected) => {
    const { findings } = minedOf(E, units);
    expect(findings.map(({ signalFingerprint }) => signalFingerprint.split(":")[0])).toEqual(expected);
  });
});

test.each([
  ["date", "server_contract", /^State in the input schema what "date" takes/],
  ["priority", "agent_or_prompt", /^The definition says what "priority" takes/],
])("what to do about a wrong %s follows from whose it is", (field, attribution, recommendation) => {
  const calls = times(4, (id) => observed(U, id, fails("create_order", { book_id: "b", [field]: 7 }, "No")));
  expect(findingsOf("schema_invalid_args", minedOf(U, calls))[0]).toMatchObject({
    attribution,
    recommendation: expect.stringMatching(recommendation),
  });
});
