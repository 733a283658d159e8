/** @module Problems around the server, planted: what the cases ask, how people fare, where it runs. */
import { E, S, U } from "../detectors/detector.ts";
import { failing, serverId } from "./bookshop.ts";
import {
  agent,
  around,
  design,
  expecting,
  fails,
  named,
  observed,
  open,
  type Plant,
  unclear,
} from "./plant.ts";

export const plantsOfPeople: readonly Plant[] = [
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
