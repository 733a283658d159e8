/** @module Operations of the Catalog tag about one conversation. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { largestCount } from "../../core/largest-count.ts";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import {
  ChatSessionDetail,
  ChatSessionPromoted,
  ChatSessionPromoteRequest,
  ChatSessionTrace,
} from "../chat/chat.ts";

const tag = "Catalog";
const ofProject = z.strictObject({ projectId: idOf<"project">().optional() });
const listed = limits.chat.listed;

export const getChatSession = operation({
  id: "getChatSession",
  tag,
  method: "GET",
  path: "/chat-sessions/{sessionId}",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "Read a session's messages",
  description: "Reads a conversation with its messages, from `afterMessageIndex` on.",
  cli: "fettle cloud sessions show",
  built: true,
  query: ofProject.extend({
    afterMessageIndex: z.coerce
      .number()
      .int()
      .min(0)
      .max(largestCount)
      .optional()
      .describe("Only messages after this one"),
    limit: z.coerce.number().int().min(1).max(listed.max).default(listed.fallback),
  }),
  output: ChatSessionDetail,
  errors: ["VALIDATION_ERROR"],
});

export const promoteChatSession = operation({
  id: "promoteChatSession",
  tag,
  method: "POST",
  path: "/chat-sessions/{sessionId}/promote",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "Make an eval case of a session; the answer says what the case cannot keep of it",
  description:
    "Turns a conversation into a case of a new or existing suite: what was asked becomes prompts, what was called becomes checks.",
  effect: "write",
  touches: { evalSuite: "body.suiteId" },
  cli: "fettle cloud sessions promote",
  status: 201,
  idempotent: true,
  built: true,
  body: ChatSessionPromoteRequest,
  output: ChatSessionPromoted,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getChatSessionTrace = operation({
  id: "getChatSessionTrace",
  tag,
  method: "GET",
  path: "/chat-sessions/{sessionId}/trace",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "Read the recorded turns of a session",
  description: "Reads everything that was said and called in a conversation, turn by turn.",
  cli: "fettle cloud sessions trace",
  built: true,
  query: ofProject.extend({
    turnId: idOf<"chatTurn">().optional(),
    afterPromptIndex: z.coerce
      .number()
      .int()
      .min(-1)
      .max(largestCount)
      .optional()
      .describe("Turns after this one"),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.chat.tracedTurns.max)
      .default(limits.chat.tracedTurns.fallback),
    includeSpans: z.stringbool().default(true),
  }),
  output: ChatSessionTrace,
  errors: ["VALIDATION_ERROR"],
});
