/** @module What is measured of one session, the same of a real visitor's and of a played one. Pure. */
import { goalReachedIn, type PlayedTurn } from "../persona/rule-persona.ts";

export interface MetSession {
  /** What the visitor came for. */
  goal: string;
  turns: readonly PlayedTurn[];
  calls: readonly { toolName: string; failed: boolean }[];
  /** Ended by the visitor, by word or by staying away; not cut off by a limit. */
  wasLeft: boolean;
}

export interface SessionFacts {
  turns: number;
  /** Calls by tool. */
  tools: Record<string, number>;
  failedCalls: number;
  /** Some answer gave what the goal is about, in a turn whose tools all worked. */
  reached: boolean;
  /** Left without it. */
  abandoned: boolean;
}

/** Words that only end a conversation: a persona says them too, and nobody answers it. */
const farewell =
  /^(?:(?:ok(?:ay)?|thanks?|thank you|thx|great|perfect|good|bye|cheers|never ?mind|so much|very much|a lot|that is all)[\s,.!]*)+$/i;

/**
 * @example
 * factsOf({ goal: "Find a book", turns, calls: [{ toolName: "search", failed: false }], wasLeft: true }).reached
 */
export function factsOf({ goal, turns, calls, wasLeft }: MetSession): SessionFacts {
  const last = turns.at(-1);
  const asked = turns.length > 1 && last && farewell.test(last.said.trim()) ? turns.slice(0, -1) : turns;
  const tools: Record<string, number> = {};
  for (const { toolName } of calls) tools[toolName] = (tools[toolName] ?? 0) + 1;
  const reached = turns.some((turn) => goalReachedIn(goal, turn));
  return {
    turns: asked.length,
    tools,
    failedCalls: calls.filter(({ failed }) => failed).length,
    reached,
    abandoned: wasLeft && !reached,
  };
}
