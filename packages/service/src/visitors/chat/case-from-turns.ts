/** @module A case made of a conversation that was held: what was asked becomes its prompts, what was called its expectations. Pure. */
import { caseLimits } from "@fettle/contract/core";
import type { EvalCaseCreateRequest } from "@fettle/contract/evals";
import type { ChatToolCall } from "@fettle/contract/visitors";

/** A turn as it was recorded. */
export interface HeldTurn {
  message: string;
  toolCalls: readonly Pick<ChatToolCall, "toolName" | "input" | "status">[];
}

type CaseDraft = Pick<EvalCaseCreateRequest, "title" | "steps">;

/**
 * Only calls that went well are expected again. Of their arguments, what looks made up for one occasion (ids, moments, long
 * numbers) is expected to be there and may be anything.
 *
 * @example
 * caseFromTurns([{ message: "Is 17 in stock?", toolCalls: [{ toolName: "stock", input: { id: 17 }, status: "ok" }] }])
 */
export function caseFromTurns(turns: readonly HeldTurn[], title?: string): CaseDraft {
  const steps = turns.flatMap(({ message, toolCalls }, turn) => [
    { id: `ask-${turn + 1}`, kind: "prompt" as const, prompt: message },
    ...toolCalls
      .filter(({ status }) => status === "ok")
      .map(({ toolName, input }, call) => ({
        id: `called-${turn + 1}-${call + 1}`,
        kind: "assert" as const,
        assertion: {
          type: "toolCalledWith" as const,
          toolName,
          // Inside an object, too, some values may be anything.
          args: { args: forgetful(input), ...(Object.values(input).some(isObject) && { deep: true }) },
        },
      })),
  ]);
  const wanted = title ?? turns[0]?.message ?? "";
  return {
    title: wanted.replace(/\s+/g, " ").trim().slice(0, caseLimits.titleLength) || "A conversation",
    steps: steps.slice(0, caseLimits.steps),
  };
}

function forgetful(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, forget(name, value)]));
}

const idName = /(^|[_-])id$|Id$|ID$|uuid|token|cursor|key$/;
const madeUp = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[0-9a-f]{16,}$/i,
  /^[a-z]{2,5}_[0-9a-z]{10,}$/i,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/,
  /^\d{9,}$/,
];

function forget(name: string, value: unknown): unknown {
  if (typeof value === "string" && (idName.test(name) || madeUp.some((form) => form.test(value))))
    return "string";
  if (typeof value === "number" && (idName.test(name) || Math.abs(value) >= 1e9)) return "number";
  return isObject(value) ? forgetful(value) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
