/** @module Which calls of a visitor's conversation a widget can show: those whose results were kept whole. */
import type { ChatSessionId, ChatTurnId, ServerId } from "@fettle/contract/core";
import type { ChatToolCall, ChatTurn } from "@fettle/contract/visitors";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { widgetOrigins } from "../../servers/widgets/origins.ts";
import * as chat from "../chat/store.ts";

export interface WidgetCall {
  serverId: ServerId;
  toolName: string;
  input: JsonObject;
  output: JsonObject;
}

/** As it was kept, which is without what was sent to let us in. */
export function widgetCallIn(
  { answer }: Pick<chat.TurnRow, "answer">,
  toolCallId: string,
): WidgetCall | undefined {
  const call = callsOf(answer).find((each) => each.toolCallId === toolCallId);
  return call && toWidgetCall(call);
}

/** Tells of each call whether a widget shows it; where widgets have no place of their own, none does. */
export async function widgetCallsOf(
  app: App,
  sessionId: ChatSessionId,
): Promise<(turnId: ChatTurnId, toolCallId: string) => boolean> {
  const turns = widgetOrigins(app.config) ? await chat.listTurnsWithWidgets(app.db, sessionId) : [];
  const shown = new Set(
    turns.flatMap(({ id, answer }) =>
      callsOf(answer).flatMap((call) => (toWidgetCall(call) ? [keyOf(id, call.toolCallId)] : [])),
    ),
  );
  return (turnId, toolCallId) => shown.has(keyOf(turnId, toolCallId));
}

const keyOf = (turnId: ChatTurnId, toolCallId: string) => `${turnId} ${toolCallId}`;

const callsOf = (answer: ChatTurn | null): readonly ChatToolCall[] => answer?.toolCalls ?? [];

function toWidgetCall({
  hasWidget,
  truncated,
  serverId,
  toolName,
  input,
  output,
}: ChatToolCall): WidgetCall | undefined {
  if (!hasWidget || truncated || serverId === null || !isObject(output)) return undefined;
  // Of one of the session's servers.
  return { serverId: serverId as ServerId, toolName, input, output };
}
