/** @module Operations of the Agent tag: one turn at a time. */
import { access, operation, serverErrors } from "../../core/operation.ts";
import { ChatTurn, ChatTurnRequest } from "../../visitors/chat/chat.ts";
import { AgentTurnRequest, AgentTurnResponse } from "../agent.ts";

const tag = "Agent";

export const sendChatMessage = operation({
  id: "sendChatMessage",
  tag,
  method: "POST",
  path: "/chat-sessions/messages",
  access: access.any,
  elevated: "member of the project the body or the session names",
  summary: "Send one message in a session and wait for the answer",
  description:
    "Sends one message to a model with the named servers and answers when the turn is over. Send `sessionId` to go on with a conversation. The same `idempotencyKey` answers the first reply again.",
  effect: "person",
  cli: "fettle cloud sessions send",
  spends: true,
  idempotent: "own",
  built: true,
  body: ChatTurnRequest,
  output: ChatTurn,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED", ...serverErrors],
});

export const runAgentTurn = operation({
  id: "runAgentTurn",
  tag,
  method: "POST",
  path: "/projects/{projectId}/agent",
  access: access.project.read,
  summary: "Run one turn of the workspace agent",
  description:
    "Gives the workspace agent one turn of a conversation. It reads by itself; what changes or spends comes back in `proposedActions` for a person to approve.",
  effect: "person",
  cli: "fettle cloud agent run",
  spends: true,
  idempotent: "own",
  built: true,
  body: AgentTurnRequest,
  output: AgentTurnResponse,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED", "SERVER_UNREACHABLE", "TIMEOUT"],
});
