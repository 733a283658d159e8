/** @module Insights over a wave: problems that are looked for, and beside them what nobody looked for. */
import { z } from "zod";
import { Timestamp } from "../../core/timestamp.ts";
import { fraction } from "../../evals/step.ts";
import { InsightsEnvelope } from "../../insights/insights.ts";

const ofWave = { waveId: z.string(), projectId: z.string() };

const WaveBaseline = z.object({
  waveId: z.string().describe("The wave before it of one of its journeys"),
  newFindingIds: z.array(z.string()),
  recurringFindingIds: z.array(z.string()),
  goneFindingIds: z.array(z.string()).describe("Found then, and not in this wave"),
});

const WavePath = z.object({
  journeyId: z.string(),
  journeyName: z.string(),
  path: z
    .string()
    .nullable()
    .describe("The tools called one after the other, without repeating; null: none was"),
  sessions: z.int(),
  ofSessions: z.int().describe("Of the journey"),
  failedCalls: z.int(),
  goalRate: fraction.nullable().describe("Of the sessions graded; null when there is none"),
  exampleSessionId: z.string(),
});

export const WaveInsights = z
  .object({
    ...ofWave,
    status: z.enum(["pending", "completed", "failed"]),
    insights: InsightsEnvelope.describe("Problems that are looked for, with how the launches went"),
    baseline: WaveBaseline.nullable().describe("Null: no wave was before it, or neither is complete"),
    discovery: z
      .object({
        paths: z.array(WavePath).describe("The ways that sessions took, the most walked first"),
        truncated: z.boolean(),
      })
      .nullable()
      .describe("What sessions have in common, without anything being looked for; null until it is known"),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    updatedAt: Timestamp,
  })
  .meta({ id: "WaveInsights" });
export type WaveInsights = z.output<typeof WaveInsights>;
export type WavePath = z.output<typeof WavePath>;
export type WaveBaseline = z.output<typeof WaveBaseline>;

export const WaveInsightsRequest = z
  .strictObject({ force: z.boolean().optional() })
  .meta({ id: "WaveInsightsRequest" });
export const WaveInsightsRequested = z
  .object({ ...ofWave, status: z.literal("pending") })
  .meta({ id: "WaveInsightsRequested" });
export type WaveInsightsRequested = z.output<typeof WaveInsightsRequested>;
export const WaveInsightsCanceled = z
  .object({ ...ofWave, canceled: z.literal(true) })
  .meta({ id: "WaveInsightsCanceled" });
export type WaveInsightsCanceled = z.output<typeof WaveInsightsCanceled>;
