/** @module The messages of each call, found again in what its connection recorded. Pure. */
import { limits } from "@fettle/contract/core";
import { isSameJson } from "@fettle/contract/formats";
import type { ChatTurnWire } from "@fettle/contract/visitors";
import type { ServerLink, ToolCall } from "@fettle/evals";
import { isObject, type JsonObject } from "@fettle/mcp";

type WireCall = ChatTurnWire["calls"][number];
type Recorded = Extract<
  ReturnType<ServerLink["connection"]["recorder"]["read"]>["entries"][number],
  { kind: "message" }
>;

interface Request {
  entry: Recorded;
  message: JsonObject;
  params: JsonObject;
}

/** Calls that never reached their server have none. */
export function wireOf(calls: readonly ToolCall[], links: readonly ServerLink[]): WireCall[] {
  return links.flatMap(({ name, connection }) => {
    const made = calls
      .filter(({ server, durationMs }) => server === name && durationMs !== null)
      .toSorted((one, other) => one.startMs - other.startMs);
    if (made.length === 0) return [];
    const entries = connection.recorder.read().entries.filter((entry) => entry.kind === "message");
    const requests = entries.flatMap((entry) => requestIn(entry));
    return made.flatMap(({ toolCallId, toolName, arguments: input }) => {
      const named = requests.filter(({ params }) => params.name === toolName);
      // What looks like a secret is taken out of a recording, so that its arguments may differ from what was asked.
      const request = named.find(({ params }) => isSameJson(params.arguments ?? {}, input)) ?? named[0];
      if (!request) return [];
      requests.splice(requests.indexOf(request), 1);
      const others = entries.filter((entry) => belongsTo(request, entry));
      return [{ toolCallId, messages: [request.entry, ...others].map(toWire) }];
    });
  });
}

function requestIn(entry: Recorded): Request[] {
  const { message, direction } = entry;
  if (direction !== "send" || !isObject(message) || message.method !== "tools/call") return [];
  return isObject(message.params) ? [{ entry, message, params: message.params }] : [];
}

/** The answer to it, and what was told of its progress. */
function belongsTo({ message: request, params }: Request, { direction, message }: Recorded): boolean {
  if (direction !== "receive" || !isObject(message)) return false;
  if (message.method === undefined) return message.id === request.id;
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return token !== undefined && isObject(message.params) && message.params.progressToken === token;
}

function toWire({ direction, at, message, truncated }: Recorded): WireCall["messages"][number] {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  const isLong = text.length > limits.chat.shownBytes;
  return {
    direction,
    at,
    message: isLong ? text.slice(0, limits.chat.shownBytes) : message,
    ...((isLong || truncated === true) && { truncated: true as const }),
  };
}
