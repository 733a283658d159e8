/** @module Problems planted into conversations with the bookshop, each as a row: what happens, and what must be found of it. */
import type { ActionableFinding, InsightScope } from "@fettle/contract";
import { E, S, U } from "../detectors/detector.ts";
import type { Unit, UnitExpectation } from "../observed/unit.ts";
import { conversation, failing, gave, type Said, serverId, type Values } from "./bookshop.ts";

export interface Plant {
  detector: string;
  scope: InsightScope["kind"];
  /** One conversation that shows it; `nth` is its number among those of this plant. */
  unit(id: string, values: Values, nth: number): Unit;
  category: ActionableFinding["category"];
  attribution: ActionableFinding["attribution"];
  actionTarget: ActionableFinding["actionTarget"];
  actionability: ActionableFinding["actionability"];
  /** Of the target; absent where there is none. */
  tool?: string;
  surface?: NonNullable<ActionableFinding["target"]>["surface"];
  field?: string;
  /** Conversations, where the usual number is too few. */
  units?: number;
}

const named = (id: string) => ({ id, label: id });

/** A repetition of a case, a played session, a visitor's session: as each scope has them. */
export function observed(
  scope: Plant["scope"],
  id: string,
  said: readonly Said[],
  over: Partial<Unit> = {},
): Unit {
  const place: Partial<Unit> = {
    [E]: { kind: "iteration" as const, case: named("c_usual"), verdict: "passed" as const, isGating: true },
    [S]: { journey: named("jo_usual"), persona: named("pe_usual") },
    [U]: { surface: named("sc_shop"), cohort: { deviceKind: "desktop" } },
  }[scope];
  return conversation(id, said, { ...place, ...over });
}

const expecting = (over: Partial<UnitExpectation>): UnitExpectation => ({
  isNegative: false,
  namedTools: [],
  turns: [],
  failedPredicates: [],
  lints: [],
  ...over,
});

/** One call, which fails with these words. */
const fails = (toolName: string, args: Record<string, unknown>, words: string, code?: number): Said[] => [
  { user: "Help me with my order please", calls: [{ toolName, arguments: args, ...failing(words, code) }] },
];

const contract = {
  category: "tool_contract",
  attribution: "server_contract",
  actionTarget: "mcp_server",
  actionability: "ready",
} as const;
const runtime = {
  category: "tool_runtime",
  attribution: "server_runtime",
  actionTarget: "mcp_server",
  actionability: "ready",
  surface: "handler",
} as const;
const agent = {
  category: "agent_behavior",
  attribution: "agent_or_prompt",
  actionTarget: "agent_configuration",
  actionability: "investigate",
} as const;
const around = {
  category: "environment",
  attribution: "environment",
  actionTarget: "environment",
  actionability: "investigate",
} as const;
const design = {
  category: "test_design",
  attribution: "test_design",
  actionTarget: "eval_case",
  actionability: "ready",
} as const;
const open = {
  category: "workflow",
  attribution: "unknown",
  actionTarget: "investigate",
  actionability: "investigate",
} as const;
const unclear = { ...open, category: "unknown" } as const;

const errors: readonly [
  name: string,
  words: (values: Values) => string,
  Pick<Plant, "category" | "attribution" | "actionTarget" | "actionability" | "surface">,
][] = [
  ["internal", (v) => `TypeError: cannot read title of ${v.uuid()} at ${v.path()}`, runtime],
  ["parse", (v) => `Unexpected token < in JSON at position ${v.number()}`, runtime],
  ["conflict", (v) => `Order ${v.id("ord")} already exists since ${v.moment()}`, runtime],
  ["domain", (v) => `The shop closes in ${v.number()} minutes, see ${v.url()}`, runtime],
  ["unavailable", (v) => `connect ECONNREFUSED ${v.host()}`, around],
  ["permission", (v) => `Forbidden for account ${v.id("acc")}`, { ...around, actionability: "ready" }],
];

export const plants: readonly Plant[] = [
  ...errors.map(
    ([name, words, expected]): Plant => ({
      detector: "tool_errors",
      scope: U,
      ...expected,
      ...(expected.surface && { tool: "cancel_order" }),
      unit: (id, v) =>
        observed(U, id, fails("cancel_order", { order_id: `${name}-${v.id("ord")}` }, words(v))),
    }),
  ),
  {
    detector: "tool_errors",
    scope: S,
    ...runtime,
    actionability: "investigate",
    attribution: "agent_or_prompt",
    actionTarget: "agent_configuration",
    tool: "get_book",
    unit: (id, v) =>
      observed(S, id, fails("get_book", { book_id: v.id("bk") }, `Book ${v.id("bk")} not found`)),
  },
  {
    detector: "schema_invalid_args",
    scope: U,
    ...contract,
    tool: "create_order",
    surface: "input_schema",
    field: "properties.date",
    unit: (id, v) =>
      observed(
        U,
        id,
        fails(
          "create_order",
          { book_id: v.id("bk"), date: v.number() },
          `"date" must be a string, got ${v.number()}`,
        ),
      ),
  },
  {
    detector: "server_rejects_valid_args",
    scope: U,
    ...contract,
    tool: "create_order",
    surface: "input_schema",
    field: "properties.date",
    unit: (id, v) =>
      observed(
        U,
        id,
        fails(
          "create_order",
          { book_id: v.id("bk"), date: v.id("day") },
          `"date" must match the calendar, got "${v.moment()}"`,
        ),
      ),
  },
  {
    detector: "output_schema_violation",
    scope: U,
    ...contract,
    tool: "get_stock",
    surface: "output_schema",
    field: "properties.copies",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "How many copies are there",
          calls: [
            {
              toolName: "get_stock",
              arguments: { book_id: v.id("bk") },
              result: { ...gave("3"), structuredContent: { copies: "3" } },
            },
          ],
        },
      ]),
  },
  {
    detector: "missing_structured_content",
    scope: S,
    ...contract,
    tool: "get_stock",
    surface: "output_schema",
    unit: (id, v) =>
      observed(S, id, [
        {
          user: "How many copies are there",
          calls: [{ toolName: "get_stock", arguments: { book_id: v.id("bk") } }],
        },
      ]),
  },
  {
    detector: "opaque_errors",
    scope: U,
    ...contract,
    tool: "list_orders",
    surface: "handler",
    unit: (id, v) => observed(U, id, fails("list_orders", { cursor: v.id("cu") }, "Something went wrong")),
  },
  {
    detector: "oversized_result",
    scope: U,
    ...contract,
    tool: "export_catalogue",
    surface: "input_schema",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Give me the whole catalogue",
          calls: [{ toolName: "export_catalogue", resultBytes: 200_000 + v.number() }],
        },
      ]),
  },
  {
    detector: "misleading_annotation",
    scope: U,
    ...contract,
    tool: "delete_review",
    surface: "capability",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Take my review away",
          calls: [{ toolName: "delete_review", arguments: { review_id: v.id("rv") } }],
        },
      ]),
  },
  {
    detector: "timeout_recurring",
    scope: E,
    ...runtime,
    tool: "list_orders",
    unit: (id, v) =>
      observed(
        E,
        id,
        fails(
          "list_orders",
          { cursor: v.id("cu") },
          `Timed out after ${v.number()} ms at ${v.moment()}`,
          -32001,
        ),
      ),
  },
  {
    detector: "latency_outlier",
    scope: E,
    ...runtime,
    actionability: "investigate",
    tool: "show_cover",
    units: 6,
    unit: (id, v) =>
      observed(E, id, [
        {
          user: "Show the cover",
          calls: [
            {
              toolName: "show_cover",
              arguments: { book_id: v.id("bk") },
              durationMs: 9_000 + (v.number() % 500),
            },
          ],
        },
      ]),
  },
  {
    detector: "flaky_tool",
    scope: S,
    ...runtime,
    tool: "list_orders",
    unit: (id, v, nth) =>
      observed(S, id, [
        {
          user: "What did I order",
          calls: [
            {
              toolName: "list_orders",
              arguments: { cursor: `same-${nth}` },
              ...failing(`Replica ${v.host()} lags behind`),
            },
          ],
        },
        { user: "And now", calls: [{ toolName: "list_orders", arguments: { cursor: `same-${nth}` } }] },
      ]),
  },
  {
    detector: "connection_lost",
    scope: U,
    ...runtime,
    actionability: "investigate",
    units: 10,
    unit: (id, v) =>
      observed(U, id, fails("get_book", { book_id: v.id("bk") }, `socket hang up (${v.host()})`)),
  },
  {
    detector: "pagination_dead_end",
    scope: U,
    ...runtime,
    tool: "list_orders",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "All my orders",
          calls: [0, 1].map((page) => ({
            toolName: "list_orders",
            arguments: { cursor: `${v.id("cu")}-${page}` },
            result: gave("Orders 1 to 10"),
          })),
        },
      ]),
  },
  {
    detector: "error_recovered_pass",
    scope: E,
    ...runtime,
    actionability: "investigate",
    tool: "get_book",
    unit: (id, v) =>
      observed(E, id, [
        {
          user: "Get the book",
          calls: [
            {
              toolName: "get_book",
              arguments: { book_id: v.id("bk") },
              ...failing(`The shelf ${v.id("sh")} is locked`),
            },
            { toolName: "get_book", arguments: { book_id: v.id("bk") } },
          ],
        },
      ]),
  },
  {
    detector: "widget_render_failed",
    scope: E,
    ...runtime,
    tool: "show_cover",
    unit: (id) =>
      observed(E, id, [{ user: "Show the cover" }], {
        widgets: [{ serverId, toolName: "show_cover", status: "render_error", consoleErrors: [] }],
      }),
  },
  {
    detector: "widget_console_errors",
    scope: E,
    ...runtime,
    tool: "show_cover",
    unit: (id, v) =>
      observed(E, id, [{ user: "Show the cover" }], {
        widgets: [
          {
            serverId,
            toolName: "show_cover",
            status: "rendered",
            consoleErrors: [`ReferenceError: cover is not defined at ${v.url()}`],
          },
        ],
      }),
  },
  {
    detector: "wrong_tool_selected",
    scope: E,
    ...contract,
    tool: "search_books",
    surface: "description",
    unit: (id, v) =>
      observed(
        E,
        id,
        [
          {
            user: "Novels on whales please",
            calls: [{ toolName: "lookup_books", arguments: { query: v.id("q") } }],
          },
        ],
        {
          case: named("c_whales"),
          verdict: "failed",
          expectation: expecting({
            namedTools: ["search_books"],
            turns: [{ turn: 0, expected: ["search_books"], missing: ["search_books"], mismatches: [] }],
          }),
        },
      ),
  },
  {
    detector: "ambiguous_tool_pair",
    scope: U,
    ...contract,
    tool: "search_books",
    surface: "description",
    units: 8,
    unit: (id, v, nth) =>
      observed(U, id, [
        {
          user: "Essays on bread please",
          calls: [
            { toolName: nth % 2 === 0 ? "search_books" : "lookup_books", arguments: { query: v.id("q") } },
          ],
        },
      ]),
  },
  {
    detector: "hallucinated_tool",
    scope: U,
    ...contract,
    category: "capability_gap",
    tool: "cancel_order",
    surface: "description",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Cancel it",
          calls: [
            {
              toolName: "cancel_orders",
              serverId: null,
              arguments: { order_id: v.id("ord") },
              end: "unsent",
              result: undefined,
            },
          ],
        },
      ]),
  },
  {
    detector: "hallucinated_tool",
    scope: S,
    category: "capability_gap",
    attribution: "server_capability",
    actionTarget: "mcp_server",
    actionability: "investigate",
    unit: (id) =>
      observed(S, id, [
        {
          user: "Wrap it",
          calls: [{ toolName: "wrap_as_gift", serverId: null, end: "unsent", result: undefined }],
        },
      ]),
  },
  {
    detector: "missing_capability",
    scope: U,
    category: "capability_gap",
    attribution: "server_capability",
    actionTarget: "mcp_server",
    actionability: "investigate",
    unit: (id, v) =>
      observed(U, id, [
        { user: `Translate the poem of ${v.id("po")}`, answer: "I don't have a tool for that." },
      ]),
  },
  {
    detector: "no_tools_used",
    scope: E,
    ...agent,
    unit: (id) =>
      observed(E, id, [{ user: "Cancel the order please", answer: "Done." }], {
        case: named("c_cancel"),
        verdict: "failed",
        expectation: expecting({
          namedTools: ["cancel_order"],
          turns: [{ turn: 0, expected: ["cancel_order"], missing: ["cancel_order"], mismatches: [] }],
        }),
      }),
  },
  {
    detector: "forbidden_tool_called",
    scope: E,
    ...agent,
    tool: "create_order",
    surface: "description",
    unit: (id, v) =>
      observed(
        E,
        id,
        [
          {
            user: "I only look around",
            calls: [{ toolName: "create_order", arguments: { book_id: v.id("bk") } }],
          },
        ],
        {
          case: named("c_browse"),
          verdict: "failed",
          expectation: expecting({
            namedTools: ["create_order"],
            failedPredicates: [{ type: "toolNeverCalled", toolName: "create_order" }],
          }),
        },
      ),
  },
  {
    detector: "tool_loop",
    scope: U,
    category: "workflow",
    attribution: "server_contract",
    actionTarget: "mcp_server",
    actionability: "investigate",
    tool: "search_books",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Something on whales",
          calls: Array.from({ length: 4 }, () => ({
            toolName: "search_books",
            arguments: { query: `loop ${v.number() * 0}${id}` },
            result: gave("[]"),
          })),
        },
      ]),
  },
  {
    detector: "excessive_calls",
    scope: E,
    ...open,
    unit: (id, v) =>
      observed(
        E,
        id,
        [
          {
            user: "Everything by Melville",
            calls: Array.from({ length: 9 }, () => ({
              toolName: "search_books",
              arguments: { query: v.uuid() },
            })),
          },
        ],
        { case: named("c_melville") },
      ),
  },
  {
    detector: "detail_fanout",
    scope: U,
    ...contract,
    category: "workflow",
    tool: "get_stock",
    surface: "capability",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Which of these are there",
          calls: [
            { toolName: "search_books", arguments: { query: v.id("q") } },
            ...Array.from({ length: 6 }, () => ({
              toolName: "get_stock",
              arguments: { book_id: v.id("bk") },
              result: { ...gave("3"), structuredContent: { copies: 3 } },
            })),
          ],
        },
      ]),
  },
  {
    detector: "empty_result_repeat",
    scope: U,
    category: "workflow",
    attribution: "server_contract",
    actionTarget: "mcp_server",
    actionability: "investigate",
    tool: "lookup_books",
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Poems on rain",
          calls: Array.from({ length: 3 }, () => ({
            toolName: "lookup_books",
            arguments: { query: v.uuid() },
            result: gave("No results found."),
          })),
        },
      ]),
  },
  {
    detector: "step_cap_hit",
    scope: E,
    ...open,
    unit: (id) =>
      observed(E, id, [{ user: "Sort everything" }], {
        case: named("c_sort"),
        end: { stopCause: "max_steps", idleAfterMs: null, reachedTurnCap: false },
      }),
  },
  {
    detector: "turn_cap_grind",
    scope: S,
    ...open,
    unit: (id) =>
      observed(S, id, [{ user: "Still looking" }], {
        journey: named("jo_long"),
        end: { stopCause: "completed", idleAfterMs: null, reachedTurnCap: true },
      }),
  },
  {
    detector: "criterion_fail",
    scope: S,
    ...open,
    units: 8,
    unit: (id) =>
      observed(S, id, [{ user: "Order it" }], { criteria: [{ ...named("cr_confirmed"), passed: false }] }),
  },
  {
    detector: "marginal_pass",
    scope: S,
    ...open,
    actionability: "informational",
    unit: (id) =>
      observed(S, id, [{ user: "Order it" }], {
        journey: named("jo_just"),
        judge: { passed: true, score: 0.71, threshold: 0.7, reason: "Barely." },
      }),
  },
  {
    detector: "token_outlier",
    scope: S,
    ...open,
    actionability: "informational",
    unit: (id, v) =>
      observed(S, id, [{ user: "Order it" }], {
        journey: named("jo_dear"),
        totalTokens: 90_000 + v.number(),
      }),
  },
  {
    detector: "arg_mismatch_expected",
    scope: E,
    ...agent,
    tool: "create_order",
    surface: "input_schema",
    field: "properties.priority",
    unit: (id, v) =>
      observed(
        E,
        id,
        [
          {
            user: "Order it fast",
            calls: [{ toolName: "create_order", arguments: { book_id: v.id("bk"), priority: "low" } }],
          },
        ],
        {
          case: named("c_fast"),
          verdict: "failed",
          expectation: expecting({
            namedTools: ["create_order"],
            turns: [
              {
                turn: 0,
                expected: ["create_order"],
                missing: [],
                mismatches: [
                  {
                    toolName: "create_order",
                    expectedArgs: { priority: "high" },
                    actualArgs: { priority: "low" },
                  },
                ],
              },
            ],
          }),
        },
      ),
  },
  {
    detector: "overly_strict_expectation",
    scope: E,
    ...design,
    unit: (id, v) =>
      observed(
        E,
        id,
        [
          {
            user: "Order it for June",
            calls: [{ toolName: "create_order", arguments: { book_id: v.id("bk"), date: "June 3, 2026" } }],
          },
        ],
        {
          case: named("c_june"),
          verdict: "failed",
          expectation: expecting({
            namedTools: ["create_order"],
            turns: [
              {
                turn: 0,
                expected: ["create_order"],
                missing: [],
                mismatches: [
                  {
                    toolName: "create_order",
                    expectedArgs: { date: "2026-06-03" },
                    actualArgs: { date: "June 3, 2026" },
                  },
                ],
              },
            ],
          }),
        },
      ),
  },
  {
    detector: "unknown_tool_in_case",
    scope: E,
    ...design,
    unit: (id) =>
      observed(E, id, [{ user: "Wrap it" }], {
        case: named("c_wrap"),
        expectation: expecting({ namedTools: ["wrap_gift"] }),
      }),
  },
  {
    detector: "contradictory_case",
    scope: E,
    ...design,
    unit: (id) =>
      observed(E, id, [{ user: "Do and do not" }], {
        case: named("c_both"),
        expectation: expecting({ lints: ["contradictory_checks"] }),
      }),
  },
  {
    detector: "flaky_case",
    scope: E,
    ...design,
    attribution: "unknown",
    actionTarget: "investigate",
    actionability: "investigate",
    unit: (id, _v, nth) =>
      observed(E, id, [{ user: "Toss a coin" }], {
        case: named("c_coin"),
        verdict: nth % 2 === 0 ? "passed" : "failed",
      }),
  },
  {
    detector: "judge_disagrees",
    scope: E,
    ...design,
    actionability: "investigate",
    unit: (id) =>
      observed(E, id, [{ user: "Be kind" }], {
        case: named("c_kind"),
        judge: { passed: false, score: 0.1, threshold: 0.7, reason: "It was rude." },
      }),
  },
  {
    detector: "cassette_stale",
    scope: E,
    ...design,
    unit: (id, _v, nth) => observed(E, id, [{ user: "Again" }], { staleEntries: nth + 1 }),
  },
  {
    detector: "target_failures",
    scope: E,
    ...around,
    units: 6,
    unit: (id, v) =>
      observed(E, id, fails("cancel_order", { order_id: v.id("ord") }, `Till ${v.number()} is offline`), {
        target: { kind: "environment", ...named("env_old") },
        verdict: "failed",
      }),
  },
  {
    detector: "persona_struggles",
    scope: S,
    ...unclear,
    units: 6,
    unit: (id) =>
      observed(S, id, [{ user: "Where is it" }], { persona: named("pe_hasty"), verdict: "failed" }),
  },
  {
    detector: "cohort_struggles",
    scope: U,
    ...unclear,
    units: 6,
    unit: (id) =>
      observed(U, id, [{ user: "Where is it" }], { cohort: { deviceKind: "phone" }, verdict: "failed" }),
  },
  {
    detector: "empty_final_answer",
    scope: S,
    ...agent,
    unit: (id) => observed(S, id, [{ user: "Well", answer: "" }], { journey: named("jo_mute") }),
  },
  {
    detector: "refusal",
    scope: S,
    ...agent,
    unit: (id) =>
      observed(S, id, [{ user: "Cancel the order please", answer: "I cannot help with that." }], {
        journey: named("jo_no"),
      }),
  },
  {
    detector: "policy_blocked_needed",
    scope: E,
    ...around,
    actionability: "ready",
    unit: (id, v) =>
      observed(
        E,
        id,
        [
          {
            user: "Cancel it",
            calls: [
              {
                toolName: "cancel_order",
                arguments: { order_id: v.id("ord") },
                end: "blocked",
                result: undefined,
              },
            ],
          },
        ],
        { case: named("c_blocked"), verdict: "failed" },
      ),
  },
  {
    detector: "auth_interrupted",
    scope: U,
    ...around,
    actionability: "ready",
    units: 10,
    unit: (id, v) =>
      observed(U, id, fails("list_orders", { cursor: v.id("cu") }, `401 Unauthorized (${v.uuid()})`)),
  },
  {
    detector: "server_unreachable",
    scope: E,
    ...around,
    units: 8,
    unit: (id, v) =>
      observed(E, id, [], {
        verdict: null,
        end: {
          stopCause: "server_lost",
          idleAfterMs: null,
          reachedTurnCap: false,
          setupFailure: { serverId, text: `connect ECONNREFUSED ${v.host()}` },
        },
      }),
  },
  {
    detector: "rate_limited",
    scope: U,
    ...around,
    units: 10,
    unit: (id, v) =>
      observed(
        U,
        id,
        fails("get_book", { book_id: v.id("bk") }, `Too many requests, retry in ${v.number()} s`),
      ),
  },
  {
    detector: "surface_drift",
    scope: E,
    ...around,
    actionability: "informational",
    unit: (id) =>
      observed(E, id, [{ user: "Hello there friend" }], { snapshots: { [serverId]: "b".repeat(64) } }),
  },
  {
    detector: "negative_feedback",
    scope: U,
    ...unclear,
    units: 8,
    unit: (id, v) =>
      observed(U, id, [{ user: "Where is it" }], {
        feedback: { isNegative: true, comment: `It took ${v.number()} tries.` },
      }),
  },
  {
    detector: "frustration",
    scope: U,
    ...unclear,
    units: 10,
    unit: (id) => observed(U, id, [{ user: "This is useless, where is it??" }]),
  },
  {
    detector: "rephrase_loop",
    scope: U,
    ...open,
    attribution: "server_capability",
    actionTarget: "mcp_server",
    unit: (id) =>
      observed(
        U,
        id,
        [
          "Gift wrapping for the parcel",
          "gift wrapping for my parcel please",
          "the gift wrapping for that parcel",
        ].map((user) => ({ user })),
      ),
  },
  {
    detector: "abandoned_session",
    scope: U,
    ...open,
    unit: (id, v) =>
      observed(
        U,
        id,
        [
          {
            user: "Wait",
            answer: null,
            calls: [
              { toolName: "search_books", arguments: { query: v.id("q") } },
              { toolName: "show_cover", arguments: { book_id: v.id("bk") } },
            ],
          },
        ],
        {
          end: { stopCause: null, idleAfterMs: 600_000, reachedTurnCap: false },
        },
      ),
  },
  {
    detector: "terminal_error_concentration",
    scope: U,
    ...open,
    unit: (id, v) =>
      observed(U, id, [
        {
          user: "Pay",
          answer: null,
          calls: [
            { toolName: "list_orders" },
            {
              toolName: "cancel_order",
              arguments: { order_id: v.id("ord") },
              ...failing(`Till ${v.number()} is offline`),
            },
          ],
        },
      ]),
  },
];

/** Nothing is wrong with these. */
export function clean(scope: Plant["scope"], id: string, values: Values): Unit {
  return observed(
    scope,
    id,
    [
      {
        user: "Which novels on whales are there",
        answer: "There are three.",
        calls: [
          { toolName: "search_books", arguments: { query: values.id("q") } },
          {
            toolName: "get_stock",
            arguments: { book_id: values.id("bk") },
            result: { ...gave("3"), structuredContent: { copies: 3 } },
          },
        ],
      },
      {
        user: "Thanks, and where is my order",
        answer: "On its way.",
        calls: [{ toolName: "list_orders", arguments: {} }],
      },
    ],
    {
      ...(scope === U ? { feedback: { isNegative: false } } : {}),
      ...(scope === S ? { criteria: [{ ...named("cr_confirmed"), passed: true }] } : {}),
      ...(scope === E ? { target: { kind: "environment" as const, ...named("env_new") } } : {}),
    },
  );
}
