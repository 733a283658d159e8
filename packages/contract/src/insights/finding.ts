/** @module A problem over time: how it fares from scope to scope of one family (a suite, a scenario, a project's swarms), and whether somebody dismissed it. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { ActionableFinding, insightScopeKinds } from "./insights.ts";

export const findingStatuses = ["new", "recurring", "regressed", "resolved"] as const;

/** Of a list of them. */
export const dismissedFilter = z
  .stringbool()
  .optional()
  .describe("Only those, or only the others; both unless said");

const scope = z.object({ kind: z.enum(insightScopeKinds), id: z.string() });

export const ProjectFinding = z.object({
  id: z.string().describe("The same problem keeps the same id across runs"),
  family: z
    .object({ kind: z.string(), id: z.string(), label: z.string() })
    .describe("What it is followed in, and dismissed in"),
  finding: ActionableFinding.describe("As it was last seen"),
  status: z.enum(findingStatuses),
  occurrenceCount: z.int().describe("In how many runs, waves or windows it was seen"),
  fingerprint: z.string().describe("Of the signal that it derives from; several findings may share one"),
  dimension: z.string().describe("What the signal counts"),
  subject: z
    .object({ kind: z.string(), id: z.string(), label: z.string() })
    .describe("Of what it counts that: a tool, a server, a case"),
  lastSeenIn: scope,
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  updatedAt: Timestamp,
  resolvedAt: Timestamp.nullable(),
  dismissedAt: Timestamp.nullable(),
});
export type ProjectFinding = z.output<typeof ProjectFinding>;

export const ProjectFindingDetail = ProjectFinding.extend({
  trend: z
    .array(
      z.object({
        scope,
        at: Timestamp,
        count: z.int().describe("Units that showed it"),
        exercised: z.int().describe("Units that could have"),
      }),
    )
    .describe("Oldest first; also where it could have shown and did not"),
});
export type ProjectFindingDetail = z.output<typeof ProjectFindingDetail>;
