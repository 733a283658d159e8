/** @module Problems of use, planted: which tool is chosen, and how laborious it is. */
import { E, S, U } from "../detectors/detector.ts";
import { gave } from "./bookshop.ts";
import { agent, contract, expecting, named, observed, open, type Plant } from "./plant.ts";

export const plantsOfUse: readonly Plant[] = [
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
];
