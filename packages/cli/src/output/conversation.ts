/** @module How a conversation reads in a terminal: who said what, what was called and how long it took. */
import { counted } from "@fettle/contract/formats";
import type {
  ChatMessage,
  ChatSessionDetail,
  ChatSessionTrace,
  ChatToolCall,
} from "@fettle/contract/visitors";
import { lines, style, type Text, text } from "./text.ts";

export function callText(call: ChatToolCall): Text {
  const { serverName, toolName, status, stopped, durationMs, errorMessage } = call;
  const took = durationMs === null ? "not run" : `${Math.round(durationMs)} ms`;
  const mark = status === "ok" ? style.green("✓") : stopped ? style.dim("■") : style.red("✗");
  return lines([
    text`${mark} ${serverName ?? "no server"}/${style.bold(toolName)} ${style.dim(took)}`,
    ...(errorMessage === undefined ? [] : [text`  ${errorMessage}`]),
  ]);
}

interface Tokens {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  totalTokens?: number | undefined;
  costUsd: number | null;
}

export function tokensText({ inputTokens, outputTokens, totalTokens, costUsd }: Tokens): Text {
  const count = (value: number | undefined) => value ?? "unknown";
  const cost = costUsd === null ? "" : `, $${costUsd.toFixed(4)}`;
  return style.dim(
    `${count(totalTokens)} tokens (${count(inputTokens)} in, ${count(outputTokens)} out)${cost}`,
  );
}

export function conversationText(session: ChatSessionDetail): Text {
  const { title, modelId, toolMode, servers, messageCount, messages, interruptedTurnId } = session;
  const of = messageCount === null ? "its transcript cannot be read" : counted(messageCount, "message");
  return lines([
    text`${style.bold(title ?? session.sessionId)} ${style.dim(`${modelId}, ${toolMode}, ${servers.map(({ name }) => name).join(", ")}, ${of}`)}`,
    ...messages.map(messageText),
    ...(interruptedTurnId === null
      ? []
      : [style.yellow("The latest message was cut off when the service ended: send it again.")]),
  ]);
}

function messageText({ index, role, content }: ChatMessage): Text {
  const place = style.dim(`${index} ${role}`);
  return lines([place, ...saidIn(role, content).map((line) => text`  ${line}`)]);
}

type Part = { type: string; text?: string; name?: string; arguments?: unknown };

function saidIn(role: ChatMessage["role"], content: unknown): string[] {
  if (typeof content === "string") return content.split("\n");
  if (role === "tool") {
    const { name, text: said } = content as { name: string; text: string };
    return `${name}: ${said}`.split("\n");
  }
  // The service stores an assistant's words as parts.
  const parts = content as Part[];
  return parts.flatMap((part) =>
    part.type === "tool-call"
      ? [`calls ${part.name} with ${JSON.stringify(part.arguments)}`]
      : (part.text ?? "").split("\n"),
  );
}

export function traceText({ turns, turnCount }: ChatSessionTrace): Text {
  return lines([
    style.dim(`${turns.length} of ${turnCount} turns`),
    ...turns.map(({ turnId, promptIndex, status, finishReason, error, toolCalls = [], usage, ...turn }) => {
      const took = turn.endedAt === null ? "under way" : `${turn.endedAt - turn.startedAt} ms`;
      const spans = turn.spansUnavailable
        ? "its steps cannot be read"
        : `${counted(turn.spanCount, "step")} recorded`;
      const from = turn.messageStartIndex;
      const place = from === undefined ? "" : `, messages ${from} to ${turn.messageEndIndex}`;
      return lines([
        text`${style.bold(`turn ${promptIndex}`)} ${turnId}: ${finishReason ?? status} ${style.dim(`${took}, ${spans}${place}`)}`,
        ...(error ? [text`  ${error.message}`] : []),
        ...toolCalls.map((call) => text`  ${callText(call)}`),
        ...(usage ? [text`  ${tokensText(usage)}`] : []),
      ]);
    }),
  ]);
}
