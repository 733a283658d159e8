/** @module What a visitor was answered in the end, but for what failing tools said: an error that names the goal does not reach it. Pure. */
import { finalTextOf, type ToolCall, type Trace } from "@fettle/evals";

/** So much of an error's line is known again where an answer cuts the rest off. */
const recognized = 40;

export function answeredIn({ messages, toolCalls }: Pick<Trace, "messages" | "toolCalls">): string {
  const answer = finalTextOf(messages) ?? "";
  const lastTurn = Math.max(0, ...toolCalls.map(({ turn }) => turn));
  const calls = toolCalls.filter(({ turn }) => turn === lastTurn);
  const failed = calls.filter(hasFailed);
  if (failed.length === 0) return answer;
  // Whatever is said then rests on nothing.
  if (failed.length === calls.length) return "";
  const errors = failed.flatMap((call) => linesOf(textOf(call))).map((line) => line.slice(0, recognized));
  return linesOf(answer)
    .filter((line) => !errors.some((error) => line.includes(error)))
    .join("\n");
}

/** Some servers tell an error as if it were a result. */
const hasFailed = (call: ToolCall) => call.isError !== false || /^\s*error\b/i.test(textOf(call));

function textOf({ result, errorMessage = "" }: ToolCall): string {
  if (typeof result === "string") return result;
  const content = Array.isArray(result?.content) ? result.content : [];
  const said = content.flatMap((part: unknown) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string"
      ? [part.text]
      : [],
  );
  return said.length > 0 ? said.join("\n") : errorMessage;
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
