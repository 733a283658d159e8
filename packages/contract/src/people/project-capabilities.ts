/** @module What the caller could do in a project. Descriptive only: every write still checks for itself. */
import { z } from "zod";
import { OrganizationRoleName } from "./account.ts";
import { ProjectRoleName } from "./project.ts";

export const projectActions = [
  "readSwarms",
  "readUserTesting",
  "writeSwarms",
  "launchJourneyRun",
  "cancelJourneyRun",
  "publishUserTestingScenario",
  "unpublishUserTestingScenario",
  "changeUserTestingExposure",
  "manageUserTestingGuestExecution",
  "requestInsights",
  "readEvals",
  "writeEvalSuites",
  "launchEvalRun",
  "deleteAnyEvalSuite",
  "deleteAnyEvalRun",
  "exportEvalTraces",
  "writeEnvironments",
  "manageGates",
] as const;
export type ProjectAction = (typeof projectActions)[number];

const openObject = z.record(z.string(), z.unknown());

export const ProjectCapabilities = z
  .object({
    projectId: z.string(),
    organizationId: z.string().nullable(),
    role: OrganizationRoleName.describe(
      "The caller's role in the organization; guest for a bare project grant",
    ),
    projectRole: ProjectRoleName,
    surface: z.string().describe("Which face of the service answered; always `api` here"),
    features: z.object({
      sandboxes: z.object({
        enabled: z.boolean(),
        mode: z.enum(["off", "dark", "enforce"]),
        enforced: z.boolean(),
        reason: z.string().optional(),
      }),
    }),
    plan: z.object({ name: z.string(), limits: openObject, features: openObject }).nullable(),
    can: z.record(z.enum(projectActions), z.boolean()),
  })
  .meta({ id: "ProjectCapabilities" });
export type ProjectCapabilities = z.output<typeof ProjectCapabilities>;
