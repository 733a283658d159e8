/** @module Conversations with a model that uses a project's servers: one turn at a time, the transcript, the record of each turn. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { jsonObject } from "../../core/json-object.ts";
import { keysOf } from "../../core/known.ts";
import { limits } from "../../core/limits/limits.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { EvalCase } from "../../evals/case.ts";
import { nameText } from "../../evals/step.ts";
import { toolModes } from "../../evals/words.ts";
import {
  persistOutcomes,
  promotionWarningCodes,
  searchScopes,
  sessionOrigins,
  sessionSources,
  sessionStatuses,
  sessionVisibilities,
  turnStates,
} from "./words.ts";

const { chat } = limits;
const open = z.looseObject({});

const utf8 = new TextEncoder();
const isWithinBytes = (text: string) => utf8.encode(text).length <= chat.messageBytes;

export const idempotencyKey = z
  .string()
  .min(1)
  .max(chat.keyLength)
  .regex(/^[\x20-\x7e]+$/, "Only printable ASCII")
  .describe("The same for every try of one message: a finished turn is answered again and not paid again");

/** One message to a model. */
export const spokenText = z
  .string()
  .min(1)
  .max(chat.messageLength)
  .refine(isWithinBytes, `At most ${chat.messageBytes} bytes as UTF-8`)
  .refine((text) => text.trim() !== "", "Says nothing");

/** What is settled by the first message, for the whole conversation. */
const settled = {
  modelId: z.string().trim().min(1).max(limits.text.nameLength).optional(),
  environmentId: idOf<"environment">().optional(),
  serverIds: z.array(z.string().min(1)).min(1).max(chat.servers).optional().describe("Ids or names"),
  clientId: idOf<"client">().optional().describe("Speak to the servers as this saved client"),
  systemPrompt: z.string().max(chat.systemPromptLength).optional(),
  temperature: z.number().min(0).max(chat.temperature).optional(),
  toolMode: z.enum(toolModes).optional(),
};

export const settledTurnFields = keysOf(settled);

/** What a turn allows less than its conversation. */
const narrowing = {
  maxToolCalls: z.int().min(0).max(chat.toolCalls).optional().describe("0 offers no tools at all"),
  allowedServerIds: z
    .array(z.string().min(1))
    .max(chat.servers)
    .optional()
    .describe("In this turn only; an empty list allows none"),
  allowedTools: z
    .array(z.string().min(1))
    .max(chat.allowedTools)
    .optional()
    .describe("Names, or server/name; in this turn only; an empty list allows none"),
};

export const ChatTurnRequest = z
  .strictObject({
    projectId: idOf<"project">().optional().describe("Needed for a first message"),
    sessionId: idOf<"chatSession">().optional().describe("The conversation to go on with"),
    idempotencyKey,
    message: spokenText,
    ...settled,
    maxSteps: z.int().min(1).max(chat.steps.max).default(chat.steps.fallback),
    ...narrowing,
    expectedVersion: z
      .int32()
      .min(0)
      .optional()
      .describe("Refused if the conversation is at another version"),
  })
  .meta({ id: "ChatTurnRequest" });
export type ChatTurnRequest = z.output<typeof ChatTurnRequest>;

export const ChatToolCall = z
  .object({
    toolCallId: z.string(),
    serverId: z.string().nullable(),
    serverName: z.string().nullable().describe("Null: no server has this tool"),
    toolName: z.string(),
    input: jsonObject,
    status: z.enum(["ok", "error"]),
    stopped: z
      .literal(true)
      .optional()
      .describe("Neither failed nor answered: it was stopped, or its turn was before it was made"),
    output: z.unknown().optional().describe("The result as the server gave it"),
    errorMessage: z.string().optional(),
    durationMs: z.number().nullable().describe("Null: it never ran"),
    truncated: z.literal(true).optional(),
    hasWidget: z.literal(true).optional().describe("The tool names a document that shows its result"),
  })
  .meta({ id: "ChatToolCall" });
export type ChatToolCall = z.output<typeof ChatToolCall>;

const Usage = z.object({
  inputTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  totalTokens: z.int().optional(),
  costUsd: z.number().nullable().describe("Null: a price or a count is unknown"),
});

export const ChatTurn = z
  .object({
    sessionId: z.string().nullable().describe("Null: the turn ran, but could not be stored"),
    turnId: z.string(),
    projectId: z.string(),
    reply: z.string().nullable().describe("Null: it ended without words"),
    finishReason: z.string(),
    stop: z.string().describe("What ended it: completed, max_steps, cancelled, …"),
    toolCalls: z.array(ChatToolCall),
    trace: z.object({ turnId: z.string(), spanCount: z.int(), spans: z.array(open) }),
    usage: Usage,
    model: z.object({ id: z.string(), provider: z.string(), modelClass: z.string() }),
    toolMode: z.enum(toolModes),
    advertisedToolCount: z.int(),
    excludedToolCount: z.int().describe("Kept back by the mode and by what the turn allows"),
    persisted: z.object({ outcome: z.enum(persistOutcomes), version: z.int().optional() }),
    narrowed: z
      .object({ ...narrowing, maxSteps: z.int().optional() })
      .optional()
      .describe("What this turn was allowed less than its conversation"),
    origin: z.enum(sessionOrigins),
    replay: z.literal(true).optional(),
    warnings: z.array(z.string()),
  })
  .meta({ id: "ChatTurn" });
export type ChatTurn = z.output<typeof ChatTurn>;

const turnState = z.enum(turnStates).nullable().describe("Of a turn that has not ended");

export const ChatSession = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    status: z.enum(sessionStatuses),
    projectId: z.string(),
    visibility: z.enum(sessionVisibilities),
    origin: z.enum(sessionOrigins),
    modelId: z.string(),
    messageCount: z.int(),
    lastActivityAt: Timestamp,
    createdAt: Timestamp,
    isPinned: z.boolean(),
    turnState,
  })
  .meta({ id: "ChatSession" });
export type ChatSession = z.output<typeof ChatSession>;

export const ChatMessage = z
  .looseObject({
    index: z.int().describe("Position in the whole transcript"),
    role: z.enum(["system", "user", "assistant", "tool"]),
    content: z.unknown(),
    truncated: z.literal(true).optional(),
  })
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.output<typeof ChatMessage>;

export const ChatSessionDetail = z
  .object({
    sessionId: z.string(),
    projectId: z.string(),
    title: z.string().nullable(),
    status: z.enum(sessionStatuses),
    visibility: z.enum(sessionVisibilities),
    ownedByViewer: z.boolean(),
    origin: z.enum(sessionOrigins),
    modelId: z.string(),
    version: z.int(),
    startedAt: Timestamp,
    lastActivityAt: Timestamp,
    toolMode: z.enum(toolModes),
    environmentId: z.string().nullable(),
    servers: z.array(z.object({ id: z.string(), name: z.string() })),
    clientId: z.string().nullable(),
    systemPrompt: z.string().nullable(),
    temperature: z.number().nullable(),
    runningTurnId: z.string().nullable().describe("A turn that is under way"),
    interruptedTurnId: z
      .string()
      .nullable()
      .describe("A turn that was cut off when its process ended, while nothing was sent since"),
    messageCount: z.int().nullable().describe("Null: the transcript cannot be read"),
    transcriptUnavailable: z.literal(true).optional(),
    messages: z.array(ChatMessage),
    nextMessageIndex: z.int().optional(),
  })
  .meta({ id: "ChatSessionDetail" });
export type ChatSessionDetail = z.output<typeof ChatSessionDetail>;

export const PendingCall = z.object({
  toolCallId: z.string(),
  serverName: z.string(),
  toolName: z.string(),
  input: jsonObject,
});

/** What a person says of a pending call. */
export const CallDecision = z.strictObject({ toolCallId: z.string().min(1), allow: z.boolean() });

/** A turn after it was stopped or decided upon. */
export const TurnState = z.object({ turnId: z.string(), isRunning: z.boolean() });

export const ChatTurnRecord = z.object({
  turnId: z.string(),
  promptIndex: z.int(),
  status: z.enum(["running", "completed", "failed"]),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
  finishReason: z.string().optional(),
  modelId: z.string().optional(),
  usage: Usage.optional(),
  messageStartIndex: z.int().optional(),
  messageEndIndex: z.int().optional(),
  toolCalls: z.array(ChatToolCall).optional(),
  message: z.string().optional().describe("What was sent, while it is under way or when it was cut off"),
  pendingCalls: z.array(PendingCall).optional().describe("Calls that wait for a person's yes"),
  told: z
    .array(z.object({ event: z.enum(["text", "reasoning", "tool-start", "tool-end"]), data: open }))
    .optional()
    .describe("What its stream has told so far, while it is under way; words put together"),
  toldTruncated: z.literal(true).optional().describe("Of a long answer only the end"),
  spanCount: z.int(),
  spans: z.array(open).optional(),
  spansUnavailable: z.literal(true).optional(),
  spansTruncated: z.literal(true).optional(),
});
export type ChatTurnRecord = z.output<typeof ChatTurnRecord>;

/** The messages between us and the servers, call by call; without what was sent to be let in. */
export const ChatTurnWire = z.object({
  turnId: z.string(),
  calls: z.array(
    z.object({
      toolCallId: z.string(),
      messages: z.array(
        z.object({
          direction: z.enum(["send", "receive"]),
          at: Timestamp,
          message: z.unknown().describe("As it was; of a long one its beginning, as text"),
          truncated: z.literal(true).optional(),
        }),
      ),
    }),
  ),
});
export type ChatTurnWire = z.output<typeof ChatTurnWire>;

export const ChatSessionTrace = z
  .object({
    sessionId: z.string(),
    origin: z.enum(sessionOrigins),
    traceVersion: z.int(),
    turnCount: z.int(),
    latestPromptIndex: z.int().optional(),
    turns: z.array(ChatTurnRecord),
  })
  .meta({ id: "ChatSessionTrace" });
export type ChatSessionTrace = z.output<typeof ChatSessionTrace>;

const SessionParentRef = z.object({
  kind: z.enum(["evalRun", "journeyRun", "scenario"]),
  label: z.string().nullable(),
  iterationId: z.string().optional(),
  suiteRunId: z.string().nullable().optional(),
  suiteId: z.string().nullable().optional(),
  journeyRunId: z.string().optional(),
  journeyRefId: z.string().nullable().optional().describe("The journey of the run"),
  scenarioId: z.string().optional(),
});

export const SessionSummary = z
  .object({
    id: z.string(),
    chatSessionId: z.string(),
    projectId: z.string(),
    sourceType: z.enum(sessionSources),
    origin: z.string().nullable(),
    status: z.enum(sessionStatuses),
    synthetic: z.boolean(),
    lockReason: z.string().nullable().describe("Why it cannot be continued"),
    title: z.string().nullable(),
    firstMessagePreview: z.string(),
    visibility: z.enum(sessionVisibilities).nullable(),
    ownedByViewer: z.boolean(),
    startedAt: Timestamp,
    lastActivityAt: Timestamp,
    modelId: z.string().nullable(),
    messageCount: z.int(),
    cumulativeUserMessageCount: z.int().optional(),
    cumulativeToolCallCount: z.int().optional(),
    cumulativeInputTokens: z.int().optional(),
    cumulativeOutputTokens: z.int().optional(),
    parentRef: SessionParentRef.nullable(),
    link: z.object({ path: z.string(), url: z.string() }),
    matchPreview: z.string().nullable().optional(),
    turnState,
    isPinned: z
      .boolean()
      .describe("By the viewer, whose own it is; such come first where nothing is searched"),
  })
  .meta({ id: "SessionSummary" });
export type SessionSummary = z.output<typeof SessionSummary>;

export const SessionSummaryPage = z
  .object({
    items: z.array(SessionSummary),
    nextCursor: z.string().optional(),
    scope: z.enum(searchScopes).optional(),
    searchedEvals: z
      .int()
      .optional()
      .describe("Only so many of the latest conversations of evals were searched; there are more"),
    searchedSwarms: z
      .int()
      .optional()
      .describe("Only so many of the latest sessions of journey runs were searched; there are more"),
  })
  .meta({ id: "SessionSummaryPage" });

/** A playground's own message: like any other, but in front of a person. */
export const AttendedTurnRequest = ChatTurnRequest.extend({
  askBeforeCalls: z.boolean().default(false).describe("Every call waits for a person's yes"),
}).meta({ id: "AttendedTurnRequest" });
export type AttendedTurnRequest = z.output<typeof AttendedTurnRequest>;

export const ChatSessionUpdateRequest = z
  .strictObject({
    title: z.string().trim().min(1).max(chat.titleLength).nullable().optional(),
    status: z.enum(sessionStatuses).optional(),
    visibility: z.enum(sessionVisibilities).optional(),
    isPinned: z.boolean().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "Nothing to change");
export type ChatSessionUpdateRequest = z.output<typeof ChatSessionUpdateRequest>;

export const ChatSessionPromoteRequest = z
  .strictObject({
    suiteId: idOf<"evalSuite">().optional().describe("Into this suite"),
    suiteName: nameText
      .optional()
      .describe(
        "Into a new one of this name, on the conversation's servers, client or environment, and model",
      ),
    title: nameText.optional().describe("Of the case; else what was said first"),
  })
  .refine(({ suiteId, suiteName }) => (suiteId === undefined) !== (suiteName === undefined), {
    error: "Give suiteId or suiteName, one of them.",
    path: ["suiteId"],
  })
  .meta({ id: "ChatSessionPromoteRequest" });
export type ChatSessionPromoteRequest = z.output<typeof ChatSessionPromoteRequest>;

export const ChatSessionPromoted = z
  .object({
    suiteId: z.string(),
    suiteName: z.string(),
    case: EvalCase,
    messages: z.int().describe("How many are asked again"),
    calls: z.int().describe("How many are expected again"),
    warnings: z
      .array(z.object({ code: z.enum(promotionWarningCodes), message: z.string() }))
      .describe("What the case could not keep of the conversation, so that a run may go otherwise"),
  })
  .meta({ id: "ChatSessionPromoted" });
export type ChatSessionPromoted = z.output<typeof ChatSessionPromoted>;
