/** @module Conversations in front of a person: heard while they come, asked about, stopped, branched, tidied. */
import { z } from "zod";
import { idOf } from "../../../core/id-of.ts";
import { access, operation } from "../../../core/operation.ts";
import {
  AttendedTurnRequest,
  CallDecision,
  ChatSession,
  ChatSessionUpdateRequest,
  ChatTurnWire,
  TurnState,
} from "../../chat/chat.ts";

const tag = "App chat";
const surface = "app";

export const streamChatTurn = operation({
  id: "streamChatTurn",
  tag,
  surface,
  method: "POST",
  path: "/chat-sessions/messages/stream",
  access: access.any,
  elevated: "member of the project the body or the session names",
  summary: "Send one message and hear the answer as it comes; the turn goes on if nobody listens any more",
  spends: true,
  raw: true,
  built: true,
  body: AttendedTurnRequest,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
});

export const stopChatTurn = operation({
  id: "stopChatTurn",
  tag,
  surface,
  method: "POST",
  path: "/chat-sessions/{sessionId}/turns/{turnId}/stop",
  access: access.owner,
  summary: "Stop a turn; what it has come to is kept",
  built: true,
  output: TurnState,
});

export const decideChatCall = operation({
  id: "decideChatCall",
  tag,
  surface,
  method: "POST",
  path: "/chat-sessions/{sessionId}/turns/{turnId}/decisions",
  access: access.owner,
  summary: "Allow or refuse a call that a turn asks about",
  built: true,
  body: CallDecision,
  output: TurnState,
});

export const getChatTurnWire = operation({
  id: "getChatTurnWire",
  tag,
  surface,
  method: "GET",
  path: "/chat-sessions/{sessionId}/turns/{turnId}/wire",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "The messages of a turn's calls as they were on the wire",
  built: true,
  output: ChatTurnWire,
});

export const branchChatSession = operation({
  id: "branchChatSession",
  tag,
  surface,
  method: "POST",
  path: "/chat-sessions/{sessionId}/branch",
  access: access.owner,
  summary: "Begin another conversation with what was said before one of the turns",
  built: true,
  status: 201,
  body: z.strictObject({ beforeTurnId: idOf<"chatTurn">() }),
  output: ChatSession,
  errors: ["VALIDATION_ERROR"],
});

export const updateChatSession = operation({
  id: "updateChatSession",
  tag,
  surface,
  method: "PATCH",
  path: "/chat-sessions/{sessionId}",
  access: access.owner,
  summary: "Name, pin, share or put away a conversation of one's own",
  built: true,
  body: ChatSessionUpdateRequest,
  output: ChatSession,
  errors: ["VALIDATION_ERROR"],
});

export const deleteChatSession = operation({
  id: "deleteChatSession",
  tag,
  surface,
  method: "DELETE",
  path: "/chat-sessions/{sessionId}",
  access: access.owner,
  summary: "Delete a conversation of one's own, for good",
  built: true,
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
});
