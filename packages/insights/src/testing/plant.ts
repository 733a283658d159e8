/** @module What a planted problem is, and conversations with the bookshop to plant it into. */
import type { ActionableFinding, InsightScope } from "@fettle/contract/insights";
import { E, S, U } from "../detectors/detector.ts";
import type { Unit, UnitExpectation } from "../observed/unit.ts";
import { conversation, failing, gave, type Said, type Values } from "./bookshop.ts";

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

export const named = (id: string) => ({ id, label: id });

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

export const expecting = (over: Partial<UnitExpectation>): UnitExpectation => ({
  isNegative: false,
  namedTools: [],
  turns: [],
  failedPredicates: [],
  lints: [],
  ...over,
});

/** One call, which fails with these words. */
export const fails = (
  toolName: string,
  args: Record<string, unknown>,
  words: string,
  code?: number,
): Said[] => [
  { user: "Help me with my order please", calls: [{ toolName, arguments: args, ...failing(words, code) }] },
];

export const contract = {
  category: "tool_contract",
  attribution: "server_contract",
  actionTarget: "mcp_server",
  actionability: "ready",
} as const;
export const runtime = {
  category: "tool_runtime",
  attribution: "server_runtime",
  actionTarget: "mcp_server",
  actionability: "ready",
  surface: "handler",
} as const;
export const agent = {
  category: "agent_behavior",
  attribution: "agent_or_prompt",
  actionTarget: "agent_configuration",
  actionability: "investigate",
} as const;
export const around = {
  category: "environment",
  attribution: "environment",
  actionTarget: "environment",
  actionability: "investigate",
} as const;
export const design = {
  category: "test_design",
  attribution: "test_design",
  actionTarget: "eval_case",
  actionability: "ready",
} as const;
export const open = {
  category: "workflow",
  attribution: "unknown",
  actionTarget: "investigate",
  actionability: "investigate",
} as const;
export const unclear = { ...open, category: "unknown" } as const;

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
