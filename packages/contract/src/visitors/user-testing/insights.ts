/** @module Findings over what visitors did: the windows they are made of, what showed in one, and asking for them. */
import { z } from "zod";
import { page } from "../../core/page.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { findingStatuses, ProjectFinding } from "../../insights/finding.ts";
import { InsightsEnvelope } from "../../insights/insights.ts";

const ScenarioSignal = z.object({
  fingerprint: z.string().describe("The same from window to window"),
  detector: z.string(),
  subject: z.object({ kind: z.string(), id: z.string(), label: z.string() }),
  count: z.int().describe("Sessions that showed it"),
  exercised: z.int().describe("Sessions that could have"),
  status: z.enum(findingStatuses),
  findingIds: z.array(z.string()),
});

export const ScenarioSignals = z
  .object({
    windowId: z.string().describe("The latest that was looked at"),
    latestWindowId: z.string().describe("The same"),
    windowStartAt: Timestamp,
    windowEndAt: Timestamp,
    latestSnapshotAt: Timestamp.describe("When its sessions were written down"),
    signals: z.array(ScenarioSignal),
    candidates: z.array(ScenarioSignal).describe("The same"),
    sessionCount: z.int(),
    unanalyzedSessionCount: z.int(),
    feedbackCount: z.int().describe("Sessions with a rating"),
    truncated: z.boolean().describe("Only the newest sessions were looked at"),
    feedbackTruncated: z.boolean(),
    lowConfidence: z.boolean(),
    dataStale: z.boolean().describe("Sessions or ratings came since"),
    canRequest: z.boolean().describe("Whether the caller may ask for insights"),
    canDismiss: z.boolean(),
  })
  .meta({ id: "ScenarioSignals" });
export type ScenarioSignals = z.output<typeof ScenarioSignals>;

export const ScenarioFindingPage = page(ProjectFinding).meta({ id: "ScenarioFindingPage" });

const ofScenario = { scenarioId: z.string(), projectId: z.string() };

export const ScenarioWindowInsights = z
  .object({
    windowId: z.string(),
    ...ofScenario,
    frozenAt: Timestamp.describe("When its sessions were written down"),
    insights: InsightsEnvelope,
  })
  .meta({ id: "ScenarioWindowInsights" });
export type ScenarioWindowInsights = z.output<typeof ScenarioWindowInsights>;

export const ScenarioInsightsRequest = z
  .strictObject({ force: z.boolean().optional() })
  .meta({ id: "ScenarioInsightsRequest" });
export const ScenarioInsightsRequested = z
  .object({ ...ofScenario, windowId: z.string(), status: z.literal("pending") })
  .meta({ id: "ScenarioInsightsRequested" });
export type ScenarioInsightsRequested = z.output<typeof ScenarioInsightsRequested>;

export const ScenarioInsightsCancelRequest = z
  .strictObject({ windowId: z.string().min(1) })
  .meta({ id: "ScenarioInsightsCancelRequest" });
export const ScenarioInsightsCanceled = z
  .object({ ...ofScenario, windowId: z.string(), canceled: z.literal(true) })
  .meta({ id: "ScenarioInsightsCanceled" });
export type ScenarioInsightsCanceled = z.output<typeof ScenarioInsightsCanceled>;

export const ScenarioFindingDismissed = z
  .object({ id: z.string(), ...ofScenario, dismissed: z.boolean() })
  .meta({ id: "ScenarioFindingDismissed" });
export type ScenarioFindingDismissed = z.output<typeof ScenarioFindingDismissed>;
