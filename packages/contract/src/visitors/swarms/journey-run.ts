/** @module One wave of synthetic visitors on one journey. What it was launched with is frozen in it. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { jsonObject } from "../../core/json-object.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { fraction } from "../../evals/step.ts";
import { modelClasses } from "../../evals/words.ts";
import { InsightsEnvelope } from "../../insights/insights.ts";
import { sessionStatuses } from "../chat/words.ts";
import { JourneyJudge, RubricCriterion } from "./journey.ts";
import { swarmLimits } from "./limits.ts";
import {
  attemptStates,
  gradingStates,
  journeyEnds,
  journeyRunDisplays,
  journeyRunStatuses,
  personaDrivers,
} from "./words.ts";

export const JourneyRunLaunchRequest = z
  .strictObject({
    waveId: z
      .string()
      .trim()
      .min(1)
      .max(swarmLimits.waveIdLength)
      .regex(/^[\w.:-]+$/, "Letters, digits, and _ . : -")
      .optional()
      .describe("A label that ties runs together; made up when absent"),
    environmentIds: z
      .array(idOf<"environment">())
      .min(1)
      .max(swarmLimits.environmentsPerJourney)
      .optional()
      .describe("Instead of the journey's own, for this run"),
  })
  .meta({ id: "JourneyRunLaunchRequest" });
export type JourneyRunLaunchRequest = z.output<typeof JourneyRunLaunchRequest>;

export const JourneyRunLaunched = z
  .object({
    id: z.string(),
    journeyId: z.string(),
    projectId: z.string(),
    waveId: z.string(),
    status: z.enum(journeyRunStatuses),
    deduped: z
      .boolean()
      .describe("The key was used before: this is the run of then, and nothing was started"),
  })
  .meta({ id: "JourneyRunLaunched" });
export type JourneyRunLaunched = z.output<typeof JourneyRunLaunched>;

export const hostId = z.string().describe("The client that is played, also where an environment names it");

export const place = {
  targetId: z.string().describe("Of the environment or the client"),
  kind: z.enum(["environment", "host"]),
  name: z.string(),
};

export const SessionSummary = z.object({
  total: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  rateLimited: z.int(),
});

const model = {
  model: z.string(),
  modelClass: z.enum(modelClasses),
  personaDriver: z.enum(personaDrivers).describe("What speaks in the visitor's place"),
};

export const JourneyRunEstimate = z
  .object({
    targets: z.array(z.object({ ...place, ...model })),
    sessions: z.int(),
    modelCalls: z.int().describe("At most; the built-in rules are no model"),
    costUsd: z
      .number()
      .nullable()
      .describe("At most: the run is stopped before it spends more. Null: a price is unknown"),
  })
  .meta({ id: "JourneyRunEstimate" });
export type JourneyRunEstimate = z.output<typeof JourneyRunEstimate>;

const counts = z.record(z.enum(attemptStates), z.int());

export const GoalRollup = z.object({
  gradedCount: z.int(),
  passedCount: z.int(),
  avgScore: fraction.nullable(),
  pendingCount: z.int(),
  failedCount: z.int().describe("Sessions whose judge broke"),
});
export type GoalRollup = z.output<typeof GoalRollup>;

export const JourneyRun = z
  .object({
    id: z.string(),
    projectId: z.string(),
    journeyId: z.string(),
    journeyName: z.string(),
    waveId: z.string(),
    status: z.enum(journeyRunStatuses),
    displayStatus: z.enum(journeyRunDisplays).describe("What to show: a cancelled run is stored as failed"),
    error: z.string().optional().describe("Absent when there is none"),
    canceled: z.boolean(),
    stale: z.boolean().describe("Whatever played it fell silent"),
    persona: z.object({ id: z.string(), personaId: z.string(), name: z.string(), role: z.string() }),
    summary: SessionSummary,
    targets: z.array(z.object({ hostId, hostName: z.string(), targetId: z.string(), modelId: z.string() })),
    sessionsTotal: z.int(),
    counts: counts.describe("Sessions by their state"),
    goalCompletion: GoalRollup.nullable().describe("Null: nobody judges"),
    costUsd: z.number().nullable(),
    totalTokens: z.int().nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    lastHeartbeatAt: Timestamp.optional().describe("When whatever plays it last said that it lives"),
  })
  .meta({ id: "JourneyRun" });
export type JourneyRun = z.output<typeof JourneyRun>;

export const CriterionGrade = z.object({
  id: z.string(),
  passed: z.boolean().nullable().describe("Null: it could not be judged"),
  reason: z.string(),
});

export const SessionGrading = z
  .object({
    status: z.enum(gradingStates),
    generation: z.int(),
    criteria: z.array(CriterionGrade),
    error: z.string().optional(),
  })
  .meta({ id: "JourneySessionGrading" });
export type SessionGrading = z.output<typeof SessionGrading>;

export const GoalGrade = z
  .object({
    status: z.enum(gradingStates),
    score: fraction.nullable(),
    passed: z.boolean().nullable(),
    threshold: fraction,
    reason: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "JourneyGoalGrade" });
export type GoalGrade = z.output<typeof GoalGrade>;

const session = z.object({
  id: z.string(),
  hostId,
  runId: z.string(),
  ordinal: z.int(),
  index: z.int().describe("Among those of its target"),
  targetId: z.string(),
  targetName: z.string(),
  state: z.enum(attemptStates),
  error: z.string().nullable(),
  end: z.enum(journeyEnds).nullable(),
  turns: z.int().nullable(),
  toolCalls: z.int().nullable(),
  toolErrors: z.int().nullable(),
  totalTokens: z.int().nullable(),
  costUsd: z.number().nullable(),
  startedAt: Timestamp.nullable(),
  endedAt: Timestamp.nullable(),
  grading: SessionGrading.nullable().describe("Null: there is no rubric, or nothing to grade"),
  goal: GoalGrade.nullable(),
});

const JourneyRunAttempt = session
  .extend({
    chatSessionId: z.string().nullable().describe("Null: it never began"),
    sessionIndex: z.int().describe("Among those of its target"),
    status: z.enum(attemptStates),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: "JourneyRunAttempt" });
export type JourneyRunAttempt = z.output<typeof JourneyRunAttempt>;

export const JourneyRunSession = session
  .extend({
    chatSessionId: z.string(),
    projectId: z.string(),
    journeyId: z.string(),
    personaId: z.string(),
    personaLabel: z.string(),
    status: z.enum(sessionStatuses).nullable().describe("Null: it never began"),
    outcome: z.enum(attemptStates),
    readiness: z
      .string()
      .nullable()
      .describe("Whether the grades of its rubric are there; null: it has none"),
    goalScore: fraction.nullable(),
    messageCount: z.int(),
    preview: z.string().optional().describe("How it begins"),
    modelId: z.string(),
    lastActivityAt: Timestamp.nullable(),
  })
  .meta({ id: "JourneyRunSession" });
export type JourneyRunSession = z.output<typeof JourneyRunSession>;

export const JourneyRunSessionDetail = JourneyRunSession.extend({
  personaDriver: z.enum(personaDrivers),
  farewell: z.string().nullable().describe("The visitor's last words, to which nobody answered"),
  messages: z.array(jsonObject).describe("What was said and called, in order"),
  warnings: z.array(z.string()),
}).meta({ id: "JourneyRunSessionDetail" });
export type JourneyRunSessionDetail = z.output<typeof JourneyRunSessionDetail>;

export const JourneyRunDetail = JourneyRun.extend({
  goal: z.string(),
  sessionsPerTarget: z.int(),
  maxTurns: z.int(),
  rubric: z.array(RubricCriterion),
  judge: JourneyJudge.nullable(),
  spendLimitUsd: z.number().nullable().describe("What was estimated: it is stopped there"),
  attempts: z.array(JourneyRunAttempt),
  targetSummaries: z.array(
    z.object({
      ...place,
      hostId,
      ...SessionSummary.shape,
      ...model,
      environmentRevision: z.int().nullable(),
      counts,
    }),
  ),
  insights: InsightsEnvelope.optional().describe("For members of the workspace"),
}).meta({ id: "JourneyRunDetail" });
export type JourneyRunDetail = z.output<typeof JourneyRunDetail>;

export const JourneyRunCanceled = z
  .object({
    id: z.string(),
    status: z.enum(journeyRunStatuses),
    canceled: z.literal(true),
    alreadyCanceled: z.boolean(),
    finalized: z.int().describe("Sessions that had not begun, and never will"),
    sessionsTotal: z.int(),
    sessionsGraded: z.int().describe("Those whose grades are there"),
  })
  .meta({ id: "JourneyRunCanceled" });
export type JourneyRunCanceled = z.output<typeof JourneyRunCanceled>;
