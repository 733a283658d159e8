/** @module What a run's rubric showed, counted: no model is asked, and nothing is paid. */
import { z } from "zod";
import { Timestamp } from "../../core/timestamp.ts";
import { ProjectFinding } from "../../insights/finding.ts";
import { RunCalibration } from "./calibration.ts";
import { personaDrivers } from "./words.ts";

export const RunScorecard = z
  .object({
    runId: z.string(),
    criteria: z.array(
      z.object({
        id: z.string(),
        label: z.string().nullable(),
        kind: z.string(),
        passCount: z.int(),
        failCount: z.int(),
        pendingCount: z.int(),
        failedGradingCount: z.int().describe("Sessions whose grader broke, which are no failures"),
        passRate: z.number().nullable().describe("Of the sessions graded; null when there is none"),
      }),
    ),
    sessionsTotal: z.int(),
    sessionsGraded: z.int().describe("What every rate is a part of"),
    personaDriver: z.enum(personaDrivers),
    calibration: RunCalibration.nullable().describe(
      "How far simulated visitors lie from real ones, by the latest calibration of the same driver in the project; null: not calibrated",
    ),
  })
  .meta({ id: "RunScorecard" });
export type RunScorecard = z.output<typeof RunScorecard>;

export const SwarmFinding = ProjectFinding.extend({
  lastSeenWaveId: z.string().describe("The wave that it was last seen in"),
}).meta({ id: "SwarmFinding" });

export const FindingDismissed = z
  .object({
    id: z.string(),
    projectId: z.string(),
    dismissed: z.boolean(),
    dismissedAt: Timestamp.nullable(),
  })
  .meta({ id: "FindingDismissed" });
export type FindingDismissed = z.output<typeof FindingDismissed>;
