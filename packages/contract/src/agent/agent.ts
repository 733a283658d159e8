/** @module One turn of the workspace agent: what is said, what it did, what it wants a person to decide. */
import { z } from "zod";
import { confirmSeverities, proposalStates, proposedKinds } from "../core/effect.ts";
import { jsonObject } from "../core/json-object.ts";
import { agentLimits } from "../core/limits/agent.ts";
import { Timestamp } from "../core/timestamp.ts";
import { idempotencyKey, spokenText } from "../visitors/chat/chat.ts";

const utf8 = new TextEncoder();
const bytesOf = (messages: readonly { content: string }[]) =>
  messages.reduce((sum, { content }) => sum + utf8.encode(content).length, 0);

const AgentMessage = z
  .strictObject({ role: z.enum(["user", "assistant"]), content: spokenText })
  .meta({ id: "AgentMessage" });
export type AgentMessage = z.output<typeof AgentMessage>;

const conversationId = z.string().trim().min(1).max(agentLimits.conversationIdLength);

export const AgentTurnRequest = z
  .strictObject({
    messages: z
      .array(AgentMessage)
      .min(1)
      .max(agentLimits.messages)
      .refine((all) => bytesOf(all) <= agentLimits.historyBytes, {
        error: `At most ${agentLimits.historyBytes} bytes as UTF-8 in all`,
      })
      .refine((all) => all.at(-1)?.role === "user", { error: "The last message is the user's" })
      .describe("The whole conversation, the oldest first: the caller keeps it"),
    idempotencyKey: idempotencyKey.optional(),
    conversationId: conversationId
      .optional()
      .describe("Where a person decides about what is proposed; without it nothing is"),
    channelId: conversationId.optional().describe("Means the same as conversationId"),
  })
  .refine(({ conversationId: one, channelId: other }) => !one || !other || one === other, {
    error: "conversationId and channelId mean the same; give one of them",
    path: ["channelId"],
  })
  .meta({ id: "AgentTurnRequest" });
export type AgentTurnRequest = z.output<typeof AgentTurnRequest>;

const CreatedResource = z
  .object({ type: z.string(), id: z.string(), name: z.string().optional(), url: z.string() })
  .meta({ id: "AgentCreatedResource" });
export type CreatedResource = z.output<typeof CreatedResource>;

const proposed = {
  actionId: z.string(),
  operation: z.string().describe("Id of the operation that would be called"),
  description: z.string().describe("Made of the operation and its arguments, never in the model's words"),
  reason: z.string().describe("Why a person decides, such as: This suite runs every day."),
  buttonLabel: z.string(),
  kind: z.enum(proposedKinds),
  confirmSeverity: z.enum(confirmSeverities),
  target: z
    .object({
      type: z.string(),
      selector: z.string(),
      name: z.string().optional().describe("As it is called"),
    })
    .optional(),
};

const ProposedAction = z.object({ ...proposed, expiresAt: Timestamp }).meta({ id: "AgentProposedAction" });
export type ProposedAction = z.output<typeof ProposedAction>;

export const AgentTurnResponse = z
  .object({
    reply: z.string(),
    toolCalls: z.array(z.object({ operation: z.string(), isError: z.boolean() })),
    createdResources: z.array(CreatedResource),
    proposedActions: z.array(ProposedAction).describe("Filled only with conversationId"),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number().nullable() }),
    model: z
      .object({ id: z.string(), provider: z.string(), modelClass: z.string() })
      .describe("`rules`: no language model, a fixed set of commands"),
    stop: z.string().describe("`completed`, or what ended the turn before it was done"),
    replay: z.literal(true).optional().describe("Answered from what was stored under the same key"),
  })
  .meta({ id: "AgentTurnResponse" });
export type AgentTurnResponse = z.output<typeof AgentTurnResponse>;

/** A proposal as a person sees it who is to decide. */
export const AgentAction = z.object({
  ...proposed,
  expiresAt: Timestamp,
  conversationId: z.string(),
  arguments: jsonObject.describe("What the operation would be called with, exactly"),
  state: z.enum(proposalStates),
  proposedBy: z.string().nullable().describe("In whose name the agent acted"),
  decidedBy: z.string().nullable(),
  createdAt: Timestamp,
  decidedAt: Timestamp.nullable(),
  result: z.object({ resource: CreatedResource.optional(), error: z.string().optional() }).nullable(),
});
export type AgentAction = z.output<typeof AgentAction>;

export const agentActionQuery = z.strictObject({
  conversationId: conversationId.optional(),
  state: z.enum(["open"]).optional().describe("Only those that wait for somebody"),
});
