/** @module Problems of a server, planted: what it promises, and how it runs. */
import { E, S, U } from "../detectors/detector.ts";
import { failing, gave, serverId, type Values } from "./bookshop.ts";
import { around, contract, fails, observed, type Plant, runtime } from "./plant.ts";

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
  [
    "denied",
    (v) => `Access denied - path outside allowed directories: ${v.path()} not in ${v.path()}`,
    { ...around, actionability: "ready" },
  ],
];

export const plantsOfServers: readonly Plant[] = [
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
];
