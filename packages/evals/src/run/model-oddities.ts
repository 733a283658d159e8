/** @module What a model did that a reader should know beside the verdict: how its turns ended, answers that were cut, calls that were none. Pure. */
import { type StopCause, type Trace, triedInVain } from "../agent/trace.ts";
import { sentences } from "../told.ts";

/** Ends that are graded, and explain what was found. */
const endings: Partial<Record<StopCause, string>> = {
  loop_guard: "The agent made the same call again and again with the same result.",
  max_steps: "The agent took as many steps as one turn may have.",
  max_tool_calls: "The agent made as many tool calls as one turn may have.",
  max_tokens: "The agent used as many tokens as one turn may have.",
};

/** Undefined: nothing. */
export function odditiesOf(trace: Trace | undefined): string | undefined {
  if (!trace) return undefined;
  const ending = trace.turns.map(({ stop }) => endings[stop]).find((words) => words !== undefined);
  const isCut = trace.spans.some(({ finishReason }) => finishReason === "length");
  const told = [
    ending,
    isCut ? "The model's answer was cut off at the most tokens that it may write." : undefined,
    brokenCall(trace),
  ];
  return told.some((words) => words !== undefined) ? sentences(...told) : undefined;
}

/** The first call that the model wrote and nobody could make. */
export function brokenCall(trace: Trace): string | undefined {
  const [call] = triedInVain(trace);
  if (!call) return undefined;
  const what =
    call.server === null
      ? `it called "${call.toolName}", which no server has.`
      : `its arguments for ${call.toolName} are no JSON object, so that the tool was not called.`;
  return `The model's own fault: ${what}`;
}
