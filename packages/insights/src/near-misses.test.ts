/** What looks like a problem and is none: each differs from a planted one by what makes it harmless, or lies just below its bound. */
import { expect, test } from "vitest";
import { E, S, U } from "./detectors/detector.ts";
import type { Unit } from "./observed/unit.ts";
import { failing, gave, type Said, seeded } from "./testing/bookshop.ts";
import { findingsOf, minedOf } from "./testing/mined.ts";
import { clean, expecting, fails, named, observed, type Plant } from "./testing/plant.ts";
import { plants } from "./testing/plants.ts";

const count = 6;
const beside = 12;

type Call = NonNullable<Said["calls"]>[number];
const ended = (over: Partial<Unit["end"]>): Pick<Unit, "end"> => ({
  end: { stopCause: "completed", idleAfterMs: null, reachedTurnCap: false, ...over },
});
const said = (user: string, calls: readonly Call[] = [], answer?: string | null): Said[] => [
  { user, calls, ...(answer !== undefined && { answer }) },
];
const order: Call = { toolName: "create_order", arguments: { book_id: "bk_1" } };
const missed = (toolName: string) => ({ turn: 0, expected: [toolName], missing: [toolName], mismatches: [] });

test.each<[detector: string, why: string, scope: Plant["scope"], said: Said[], over?: Partial<Unit>]>([
  ["empty_final_answer", "it ends on an error", U, said("Buy", [{ ...order, ...failing("No") }], "")],
  ["empty_final_answer", "the person left", U, said("Buy", [], ""), ended({ idleAfterMs: 200_000 })],
  ["empty_final_answer", "it was stopped", E, said("Buy", [], ""), ended({ stopCause: "max_steps" })],
  ["empty_final_answer", "its answer cannot be read", U, said("Buy", [], ""), { isUnreadable: true }],
  [
    "refusal",
    "a tool was tried",
    U,
    said(
      "Cancel my order",
      [{ toolName: "cancel_order", arguments: { order_id: "1" } }],
      "I cannot do that.",
    ),
  ],
  ["refusal", "no tool is meant", U, said("Translate the poem", [], "I cannot do that.")],
  [
    "refusal",
    "the case wants to hear no",
    E,
    said("Cancel the order of delivery", [], "I cannot do that."),
    { expectation: expecting({ isNegative: true }) },
  ],
  [
    "missing_capability",
    "the case wants to hear no",
    E,
    said("Translate the poem", [], "I don't have a tool for that."),
    { expectation: expecting({ isNegative: true }) },
  ],
  [
    "missing_capability",
    "a tool is meant",
    U,
    said("Cancel the order of delivery", [], "I don't have a tool for that."),
  ],
  ["negative_feedback", "the visitor is content", U, said("Buy"), { feedback: { isNegative: false } }],
  ["frustration", "it is an eval's prompt", E, said("This is useless!!")],
  [
    "abandoned_session",
    "the person answered a minute later",
    U,
    said("Buy", [], ""),
    ended({ idleAfterMs: 119_999 }),
  ],
  [
    "abandoned_session",
    "there was an answer",
    U,
    said("Buy", [order], "Done."),
    ended({ idleAfterMs: 900_000 }),
  ],
  [
    "abandoned_session",
    "the person said how it was",
    U,
    said("Buy", [order], ""),
    { ...ended({ idleAfterMs: 900_000 }), feedback: { isNegative: true } },
  ],
  [
    "rephrase_loop",
    "it is said again once",
    U,
    [
      { user: "Find poems on rain please", answer: "?" },
      { user: "Find poems on rain", answer: "?" },
    ],
  ],
  [
    "terminal_error_concentration",
    "an answer follows the error",
    U,
    said("Buy", [{ ...order, ...failing("No") }], "It failed."),
  ],
  ["step_cap_hit", "it was done", E, said("Sort"), ended({ stopCause: "completed" })],
  ["turn_cap_grind", "it had turns left", S, said("Look"), { journey: named("jo_long") }],
  ["criterion_fail", "it is met", S, said("Buy"), { criteria: [{ ...named("cr_confirmed"), passed: true }] }],
  [
    "marginal_pass",
    "it passes well",
    S,
    said("Buy"),
    { journey: named("jo_just"), judge: { passed: true, score: 0.76, threshold: 0.7, reason: "Fine." } },
  ],
  [
    "marginal_pass",
    "it fails just",
    S,
    said("Buy"),
    { journey: named("jo_just"), judge: { passed: false, score: 0.71, threshold: 0.7, reason: "No." } },
  ],
  [
    "marginal_pass",
    "it lies below",
    S,
    said("Buy"),
    { journey: named("jo_just"), judge: { passed: true, score: 0.69, threshold: 0.7, reason: "Hm." } },
  ],
  [
    "token_outlier",
    "it takes twice as many",
    S,
    said("Buy"),
    { journey: named("jo_dear"), totalTokens: 1_800 },
  ],
  [
    "excessive_calls",
    "seven calls are few",
    E,
    said(
      "Everything",
      Array.from({ length: 7 }, (_, nth) => ({ toolName: "search_books", arguments: { query: `q${nth}` } })),
    ),
    { case: named("c_all") },
  ],
  [
    "excessive_calls",
    "a test makes them itself",
    E,
    said(
      "Everything",
      Array.from({ length: 9 }, (_, nth) => ({
        toolName: "search_books",
        arguments: { query: `q${nth}` },
        isPinned: true,
      })),
    ),
    { case: named("c_all") },
  ],
  ["hallucinated_tool", "a server answered it", U, said("Wrap", [{ toolName: "wrap_gift", arguments: {} }])],
  [
    "hallucinated_tool",
    "a test calls it itself",
    E,
    said("Wrap", [{ toolName: "wrap_gift", serverId: null, end: "unsent", isPinned: true }]),
  ],
  [
    "no_tools_used",
    "none is expected",
    E,
    said("Cancel the order please"),
    { case: named("c_cancel"), expectation: expecting({}) },
  ],
  [
    "no_tools_used",
    "the case wants none",
    E,
    said("Cancel the order please"),
    {
      case: named("c_cancel"),
      expectation: expecting({ isNegative: true, turns: [missed("cancel_order")] }),
    },
  ],
  [
    "no_tools_used",
    "one is called",
    E,
    said("Cancel the order please", [{ toolName: "cancel_order", arguments: { order_id: "1" } }]),
    {
      case: named("c_cancel"),
      expectation: expecting({ namedTools: ["cancel_order"], turns: [missed("cancel_order")] }),
    },
  ],
  [
    "schema_invalid_args",
    "a test sends them itself",
    E,
    said("Find", [{ toolName: "get_book", arguments: {}, isPinned: true }]),
  ],
  [
    "error_recovered_pass",
    "it does not pass",
    E,
    said("Buy", [{ ...order, ...failing("No") }, order]),
    { verdict: "failed" },
  ],
  [
    "error_recovered_pass",
    "a test makes the call itself",
    E,
    said("Buy", [{ ...order, ...failing("No"), isPinned: true }, order]),
  ],
  [
    "latency_outlier",
    "it takes less than two seconds",
    U,
    said("Export", [{ toolName: "export_catalogue", durationMs: 1_999 }]),
  ],
  [
    "oversized_result",
    "it is just not large",
    U,
    said("Export", [{ toolName: "export_catalogue", resultBytes: 50_000 }]),
  ],
  [
    "output_schema_violation",
    "it keeps to it",
    U,
    said("Copies", [
      {
        toolName: "get_stock",
        arguments: { book_id: "b" },
        result: { ...gave("3"), structuredContent: { copies: 3 } },
      },
    ]),
  ],
  [
    "missing_structured_content",
    "none is promised",
    U,
    said("Book", [{ toolName: "get_book", arguments: { book_id: "b" } }]),
  ],
  ["flaky_tool", "it always fails", U, fails("cancel_order", { order_id: "1" }, "The till is offline")],
  [
    "flaky_tool",
    "it is turned away for being too many",
    U,
    said("Cancel", [
      { toolName: "cancel_order", arguments: { order_id: "1" } },
      { toolName: "cancel_order", arguments: { order_id: "1" }, ...failing("Rate limit exceeded", 429) },
    ]),
  ],
  [
    "tool_errors",
    "signing in is what is missing",
    U,
    fails("cancel_order", { order_id: "1" }, "401 Unauthorized", 401),
  ],
  [
    "auth_interrupted",
    "it is an error of the tool",
    U,
    fails("cancel_order", { order_id: "1" }, "The till is offline"),
  ],
  [
    "policy_blocked_needed",
    "the task passes without it",
    E,
    said("Buy", [{ ...order, end: "blocked" }]),
    { verdict: "passed" },
  ],
  [
    "judge_disagrees",
    "they agree",
    E,
    said("Buy"),
    {
      case: named("c_buy"),
      verdict: "failed",
      judge: { passed: false, score: 0, threshold: 0.5, reason: "No." },
    },
  ],
  ["flaky_case", "it always fails", E, said("Buy"), { case: named("c_flaky"), verdict: "failed" }],
  [
    "unknown_tool_in_case",
    "a server has it",
    E,
    said("Buy"),
    { case: named("c_buy"), expectation: expecting({ namedTools: ["create_order"] }) },
  ],
  ["cassette_stale", "all fit", E, said("Buy"), { staleEntries: 0 }],
  [
    "widget_render_failed",
    "it is shown",
    U,
    said("Cover"),
    { widgets: [{ serverId: "srv_books", toolName: "show_cover", status: "rendered", consoleErrors: [] }] },
  ],
  [
    "widget_render_failed",
    "there was no browser to show it",
    U,
    said("Cover"),
    {
      widgets: [
        { serverId: "srv_books", toolName: "show_cover", status: "browser_unavailable", consoleErrors: [] },
      ],
    },
  ],
  [
    "wrong_tool_selected",
    "it is the right one",
    E,
    said("Buy", [order]),
    {
      case: named("c_buy"),
      expectation: expecting({
        namedTools: ["create_order"],
        turns: [{ ...missed("create_order"), missing: [] }],
      }),
    },
  ],
  [
    "forbidden_tool_called",
    "it is not called",
    E,
    said("Look"),
    { case: named("c_look"), expectation: expecting({ namedTools: ["create_order"] }) },
  ],
])("%s is not told where %s", (detector, _, scope, words, over) => {
  expect(plants.map((plant) => plant.detector)).toContain(detector);
  const values = seeded(1);
  const units = [
    ...Array.from({ length: count }, (_, nth) => observed(scope, `it-${nth}`, words, over)),
    ...Array.from({ length: beside }, (_, nth) => clean(scope, `clean-${nth}`, values)),
  ];
  expect(findingsOf(detector, minedOf(scope, units)).map(({ title }) => title)).toEqual([]);
});

/** Told from here on: each lies on its bound, or is all there is. */
test.each<[detector: string, where: string, scope: Plant["scope"], units: Unit[], isTold: boolean]>([
  ["latency_outlier", "a tool takes two seconds", U, [...many(exporting(2_000)), ...cleanOnes(U)], true],
  ["latency_outlier", "a tool takes a little less", U, [...many(exporting(1_999)), ...cleanOnes(U)], false],
  ["negative_feedback", "two of three are not content", U, rated(2, 1), true],
  ["negative_feedback", "there are only two ratings", U, rated(2, 0), false],
  ["excessive_calls", "other cases take fewer calls", E, [...many(laborious), ...cleanOnes(E)], true],
  ["excessive_calls", "there is no other case", E, many(laborious), false],
])("%s where %s", (detector, _, scope, units, isTold) => {
  expect(findingsOf(detector, minedOf(scope, units)).length > 0).toBe(isTold);
});

test("a name that nobody offers is told in one line, without what could be taken for markup", () => {
  const call = { toolName: 'wrap\n"gift"  <b>', serverId: null, end: "unsent" as const };
  const units = many((id) => observed(E, id, said("Wrap it", [call]), { case: named("c_wrap") }));
  const [finding] = findingsOf("hallucinated_tool", minedOf(E, [...units, ...cleanOnes(E)]));
  expect(finding?.title).toContain("wrap gift b");
});

function many(unit: (id: string) => Unit): Unit[] {
  return Array.from({ length: count }, (_, nth) => unit(`it-${nth}`));
}
function cleanOnes(scope: Plant["scope"]): Unit[] {
  const values = seeded(1);
  return Array.from({ length: beside }, (_, nth) => clean(scope, `clean-${nth}`, values));
}
function exporting(durationMs: number) {
  return (id: string) => observed(U, id, said("Export", [{ toolName: "export_catalogue", durationMs }]));
}
function laborious(id: string): Unit {
  const calls = Array.from({ length: 9 }, (_, nth) => ({
    toolName: "search_books",
    arguments: { query: `q${nth}` },
  }));
  return observed(E, id, said("Everything", calls), { case: named("c_all") });
}
function rated(negative: number, positive: number): Unit[] {
  const rate = (isNegative: boolean) => (_: unknown, nth: number) =>
    observed(U, `${isNegative ? "bad" : "good"}-${nth}`, said("Buy", [order], "Done."), {
      feedback: { isNegative },
    });
  return [...Array.from({ length: negative }, rate(true)), ...Array.from({ length: positive }, rate(false))];
}
