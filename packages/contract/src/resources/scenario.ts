/** @module A scenario: an environment published for real visitors, with the findings over its latest analyzed window. */
import { z } from "zod";
import { InsightsEnvelope } from "./insights.ts";

/** The read has no `accessVersion`; publishing and rebinding answer with it. */
export const UserTestingScenarioDetail = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    mode: z.string().nullable().describe("`project_members`, `invited_only` or `anyone_with_link`"),
    environmentId: z.string().nullable(),
    insights: InsightsEnvelope.optional().describe(
      "For workspace members. Absent means the same as an envelope that is `not_available`",
    ),
  })
  .meta({ id: "UserTestingScenarioDetail" });
export type UserTestingScenarioDetail = z.output<typeof UserTestingScenarioDetail>;
