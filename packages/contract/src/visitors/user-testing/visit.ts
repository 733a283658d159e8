/** @module What a visitor's page says and hears. Nothing in it is about others: no sessions, findings, costs, addresses or prompts. */
import { z } from "zod";
import { jsonObject } from "../../core/json-object.ts";
import { limits } from "../../core/limits/limits.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { CallToolRequest, ReadResourceRequest } from "../../servers/mcp.ts";
import { RenderedWidget } from "../../widgets/rendered.ts";
import { CallDecision, ChatTurnRequest, PendingCall } from "../chat/chat.ts";
import { feedbackStyles, type SessionEnd, sessionEnds } from "./words.ts";

const { userTesting, accounts } = limits;

export const RedeemRequest = z.strictObject({
  linkToken: z.string().min(1).max(accounts.tokenLength).describe("The last part of the link's path"),
});

const VisitCall = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  status: z.enum(["ok", "error"]),
  hasWidget: z.literal(true).optional().describe("A widget shows its result"),
});

const VisitAsk = PendingCall.omit({ serverName: true });

export const VisitMessage = z.object({
  index: z.int(),
  turnId: z.string(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  calls: z.array(VisitCall).describe("What was done before these words"),
});
export type VisitMessage = z.output<typeof VisitMessage>;

/** One's own conversation. */
export const VisitSession = z
  .object({
    sessionId: z.string(),
    startedAt: Timestamp,
    ended: z.enum(sessionEnds).nullable(),
    turnsLeft: z.int(),
    running: z
      .object({
        turnId: z.string(),
        message: z.string().nullable(),
        asks: z.array(VisitAsk).describe("Calls that wait for the visitor's word"),
      })
      .nullable()
      .describe("An answer that is under way"),
    cutOff: z
      .object({ message: z.string() })
      .nullable()
      .describe("What was sent last and never answered, because the service ended in the middle"),
    messages: z.array(VisitMessage),
    ratings: z.array(z.object({ turnId: z.string(), value: z.number(), comment: z.string().nullable() })),
    eraseUntil: Timestamp.nullable().describe("Set once it is over: until then it can be erased"),
  })
  .meta({ id: "VisitSession" });
export type VisitSession = z.output<typeof VisitSession>;

/** What the pages of a visit begin with. */
export const Visit = z
  .object({
    scenarioId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    organizationName: z.string().describe("Who runs the test"),
    accessVersion: z.int(),
    visitor: z.object({
      authType: z.enum(["signedIn", "guest"]),
      displayName: z.string().nullable(),
    }),
    consent: z.object({
      needed: z.boolean(),
      retentionDays: z.int().describe("How long what is said is kept"),
      toolsMayAct: z.boolean().describe("Tools may change something, not only look it up"),
    }),
    feedback: z.enum(feedbackStyles),
    model: z.string().nullable().describe("Who answers; null: nothing is settled, and nobody can begin"),
    servers: z.array(z.object({ name: z.string() })).describe("What is being tested"),
    session: VisitSession.nullable().describe("The conversation that is open, or was last"),
  })
  .meta({ id: "Visit" });
export type Visit = z.output<typeof Visit>;

export const ConsentRequest = z.strictObject({
  agrees: z.literal(true),
  displayName: z.string().trim().min(1).max(userTesting.displayNameLength).optional(),
});

const { idempotencyKey, message } = ChatTurnRequest.shape;

export const VisitTurnRequest = z.strictObject({ idempotencyKey, message });
export type VisitTurnRequest = z.output<typeof VisitTurnRequest>;

export const VisitFeedbackRequest = z.strictObject({
  value: z.int().min(0).max(userTesting.stars).describe("1 to 5 stars, or 0 and 1 for thumbs"),
  comment: z.string().trim().max(userTesting.commentLength).nullable().optional(),
});
export type VisitFeedbackRequest = z.output<typeof VisitFeedbackRequest>;

const { toolCallId } = CallDecision.shape;

/** Of one's own conversation: the call whose widget is meant. */
export const VisitWidgetRequest = z.strictObject({ toolCallId });

const ListedTool = z.looseObject({ name: z.string() });

/** All that a widget needs to draw what a call came to. The page shows none of it in another form. */
export const VisitWidget = z
  .object({
    rendered: RenderedWidget,
    tool: ListedTool.describe("The one that was called, as its server lists it now"),
    tools: z
      .array(ListedTool)
      .describe("Those of its server, with their annotations and for whom they are: a widget may call some"),
    arguments: jsonObject,
    result: jsonObject,
    asksBeforeCalls: z.boolean().describe("The visitor says of each of its calls whether it is made"),
  })
  .meta({ id: "VisitWidget" });
export type VisitWidget = z.output<typeof VisitWidget>;

/** What a widget asks its server for; nothing of it changes anything. */
export const VisitWidgetAsk = z.strictObject({
  toolCallId,
  asked: z.discriminatedUnion("name", [
    z.strictObject({
      name: z.literal("callTool"),
      input: CallToolRequest.pick({ toolName: true, parameters: true }),
    }),
    z.strictObject({ name: z.literal("readResource"), input: ReadResourceRequest }),
  ]),
});
export type VisitWidgetAsk = z.output<typeof VisitWidgetAsk>;

/** What a page is told while an answer comes, by the event's name. */
export interface VisitTold {
  /** As many as may are answered already: so many stand before this one in the line. */
  waiting: { ahead: number };
  began: { sessionId: string; turnId: string };
  text: { text: string };
  "tool-start": { toolCallId: string; toolName: string };
  "tool-end": z.output<typeof VisitCall>;
  ask: z.output<typeof VisitAsk>;
  decided: { toolCallId: string; allow: boolean };
  done: { turnId: string; reply: string | null; turnsLeft: number };
  failed: { code: string; message: string };
  /** The last: nothing more comes, and the page shows why. */
  ended: { reason: SessionEnd };
}
