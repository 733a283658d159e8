/** @module What a project's people see of visitors: their sessions, what was said, and what it adds up to. */
import { z } from "zod";
import { limits } from "../../core/limits/limits.ts";
import { page, pageQuery } from "../../core/page.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { populations, ratingStyles, sessionEnds } from "./words.ts";

const { userTesting } = limits;

const SessionVisitor = z.object({
  displayName: z.string().optional(),
  segment: z.string().optional(),
  authType: z.enum(["signedIn", "guest"]),
  recency: z.enum(["new", "returning"]),
  deviceKind: z.string().optional(),
  language: z.string().optional(),
});

export const UserTestingSession = z
  .object({
    id: z.string(),
    chatSessionId: z.string(),
    messageCount: z.int(),
    preview: z.string(),
    modelId: z.string().optional(),
    toolCallCount: z.int().optional(),
    toolErrorCount: z.int().optional(),
    authInterrupted: z.boolean().optional().describe("A server wanted the visitor to sign in"),
    visitor: SessionVisitor,
    feedback: z.object({
      rating: z.number().nullable().describe("The latest: 1 to 5, or 0 and 1"),
      style: z.enum(ratingStyles).nullable().describe("How the latest was given"),
      comment: z.string().nullable(),
      count: z.int(),
    }),
    population: z.enum(populations),
    ended: z.enum(sessionEnds).nullable().describe("Null: it is open"),
    startedAt: Timestamp,
    lastActivityAt: Timestamp,
  })
  .meta({ id: "UserTestingSession" });
export type UserTestingSession = z.output<typeof UserTestingSession>;

export const UserTestingSessionQuery = pageQuery(userTesting.listed).extend({
  feedback: z.enum(["any", "negative"]).optional().describe("Only with ratings, or with a bad one"),
  authType: z.enum(["signedIn", "guest"]).optional(),
  population: z.enum(populations).optional(),
  state: z.enum(["open", "ended"]).optional(),
});
export type UserTestingSessionQuery = z.output<typeof UserTestingSessionQuery>;

export const UserTestingSessionPage = page(UserTestingSession).meta({ id: "UserTestingSessionPage" });

const TranscriptMessage = z.object({
  index: z.int().describe("Position in the whole transcript"),
  role: z.enum(["system", "user", "assistant", "tool"]),
  text: z.string().describe("What tools were sent and gave back is left out"),
  toolName: z.string().optional(),
  isError: z.boolean().optional(),
  turnId: z.string(),
  rating: z
    .object({ value: z.number(), style: z.enum(ratingStyles), comment: z.string().nullable() })
    .optional(),
});

export const UserTestingSessionDetail = z
  .object({
    ...UserTestingSession.omit({ messageCount: true, chatSessionId: true }).shape,
    scenarioId: z.string(),
    chatSessionId: z.string().nullable(),
    modelId: z.string().nullable(),
    messageCount: z.int().nullable().describe("Null: the transcript cannot be read"),
    transcriptUnavailable: z.literal(true).optional(),
    messages: z.array(TranscriptMessage),
    nextCursor: z.string().optional(),
  })
  .meta({ id: "UserTestingSessionDetail" });
export type UserTestingSessionDetail = z.output<typeof UserTestingSessionDetail>;

export const ScenarioMetrics = z
  .object({
    population: z.enum(populations),
    sessions: z.int(),
    sessionCount: z.int(),
    analyzedCount: z.int(),
    truncated: z.boolean().describe("Only the latest sessions were looked at"),
    messages: z.int(),
    completedCount: z.int().describe("Sessions that ended and have an answer"),
    completionRate: z.number().nullable(),
    feedback: z.object({
      count: z.int(),
      average: z.number().nullable(),
      negativeCount: z.int(),
      rate: z.number().nullable().describe("Sessions with a rating, of all"),
    }),
    toolCallCount: z.int(),
    toolErrorCount: z.int(),
    toolErrorRate: z.number().nullable(),
    sessionsWithToolErrors: z.int(),
    topFailingTool: z.string().nullable(),
    avgToolCallsPerSession: z.number().nullable(),
    latencyP50Ms: z.number().nullable().describe("Of turns"),
    latencyP95Ms: z.number().nullable(),
    avgTokensPerSession: z.number().nullable(),
    tokenSampleCount: z.int(),
    trend: z.array(z.object({ day: z.string(), sessions: z.int(), toolErrors: z.int(), negative: z.int() })),
  })
  .meta({ id: "ScenarioMetrics" });
export type ScenarioMetrics = z.output<typeof ScenarioMetrics>;

const Used = z.object({ name: z.string(), sessions: z.int(), calls: z.int(), errors: z.int() });

export const ScenarioUsage = z
  .object({
    models: z.array(z.object({ name: z.string(), sessions: z.int() })),
    tools: z.array(Used.extend({ server: z.string() })),
    servers: z.array(Used),
    scan: z.object({ analyzed: z.int(), total: z.int(), matched: z.int(), truncated: z.boolean() }),
  })
  .meta({ id: "ScenarioUsage" });
export type ScenarioUsage = z.output<typeof ScenarioUsage>;
