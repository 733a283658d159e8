/** @module The state of a project's swarms at a glance: what the last runs came to, which checks fail, and for how long. Counted; no model is asked. */
import { z } from "zod";
import { Timestamp } from "../../core/timestamp.ts";
import { fraction } from "../../evals/step.ts";
import { GoalRollup, hostId, place, SessionSummary } from "./journey-run.ts";
import { journeyRunDisplays, journeyRunStatuses } from "./words.ts";

const passRate = fraction.nullable().describe("Of the sessions graded; null when there is none");

const SwarmOverviewFinding = z.object({
  criterionId: z.string(),
  label: z.string().nullable(),
  kind: z.string(),
  failCount: z.int(),
  pendingCount: z.int(),
  failedGradingCount: z.int().describe("Sessions whose grader broke, which are no failures"),
  sessionsGraded: z.int(),
  runStreak: z.int().describe("In how many of the journey's runs one after the other, this one included"),
});

const SwarmOverviewRun = z.object({
  runId: z.string(),
  journeyId: z.string(),
  journeyName: z.string(),
  journeyArchived: z.boolean(),
  personaName: z.string(),
  waveId: z.string(),
  status: z.enum(journeyRunStatuses).describe("As the run itself says"),
  displayStatus: z.enum(journeyRunDisplays).describe("What to show: a cancelled run is stored as failed"),
  canceled: z.boolean(),
  summary: SessionSummary,
  goalCompletion: GoalRollup.nullable().describe("Null: nothing of it is graded"),
  findings: z
    .array(SwarmOverviewFinding)
    .describe("Criteria that sessions missed; only of the latest run of each journey"),
  targets: z.array(
    z.object({
      ...place,
      model: z.string(),
      hostId,
      hostName: z.string(),
      modelId: z.string(),
      environmentName: z.string().optional(),
    }),
  ),
  createdAt: Timestamp,
});
export type SwarmOverviewRun = z.output<typeof SwarmOverviewRun>;

export const SwarmOverview = z
  .object({
    runs: z.array(SwarmOverviewRun).describe("The newest first"),
    runsConsidered: z.int().describe("The latest so many are looked at, and no others"),
    goalCompletion: z.object({
      gradedCount: z.int(),
      passedCount: z.int(),
      passRate,
      runsWithGrades: z.int(),
      trend: z
        .array(
          z.object({
            dayStartMs: Timestamp.describe("Of the day in UTC"),
            gradedCount: z.int(),
            passedCount: z.int(),
            passRate: fraction,
          }),
        )
        .describe("Days on which something was graded, the oldest first"),
    }),
  })
  .meta({ id: "SwarmOverview" });
export type SwarmOverview = z.output<typeof SwarmOverview>;
