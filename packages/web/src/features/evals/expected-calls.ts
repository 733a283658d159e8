/** @module Expected calls beside those that were made, so that a difference is seen at a glance. */

import type { RecordedCall, TurnCalls } from "../../kit/recorded/recording.ts";
import type { JsonObject } from "../../lib/json-exact.ts";

interface Call {
  toolName: string;
  arguments: JsonObject;
}

export interface CallPair {
  expected: Call | undefined;
  made: Call | undefined;
  state: "as-expected" | "other-arguments" | "missing" | "beside";
}

/**
 * In the order in which they were expected, then what was called beside them. An expected call that nothing fits is set beside one
 * of the same tool, for then it is the arguments that differ.
 */
export function callPairs(turns: readonly TurnCalls[], calls: readonly RecordedCall[]): CallPair[] {
  if (!turns.some(({ expected }) => expected.length > 0)) return calls.map(beside);
  return turns.flatMap(({ expected, actual, pairs }): CallPair[] => {
    const madeOf = new Map(pairs);
    const left = new Map(actual.entries());
    for (const [, made] of pairs) left.delete(made);
    const rows = expected.map((call, at): CallPair => {
      const paired = madeOf.get(at);
      if (paired !== undefined) return { expected: call, made: actual[paired], state: "as-expected" };
      const near = [...left].find(([, made]) => made.toolName === call.toolName);
      if (!near) return { expected: call, made: undefined, state: "missing" };
      const [index, made] = near;
      left.delete(index);
      return { expected: call, made, state: "other-arguments" };
    });
    return [...rows, ...[...left.values()].map(beside)];
  });
}

function beside(made: Call): CallPair {
  return { expected: undefined, made, state: "beside" };
}
