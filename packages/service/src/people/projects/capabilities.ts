/** @module What a caller could do in a project, worked out from the access that the contract declares. */

import { type OperationId, operationTable } from "@fettle/contract/operations";
import { type ProjectAction, type ProjectCapabilities, projectActions } from "@fettle/contract/people";
import type { Querier } from "../../core/db/pool.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { holdsRole } from "../../core/routing/held-role.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findOrganization } from "./store.ts";

/** The operation whose access decides an action; nobody can do what is not built. */
const decidedBy: Record<ProjectAction, OperationId> = {
  readSwarms: "listSwarms",
  readUserTesting: "getUserTestingScenario",
  writeSwarms: "createSwarm",
  launchJourneyRun: "launchJourneyRun",
  cancelJourneyRun: "cancelJourneyRun",
  publishUserTestingScenario: "publishScenario",
  unpublishUserTestingScenario: "unpublishScenario",
  changeUserTestingExposure: "updateUserTestingScenario",
  manageUserTestingGuestExecution: "setGuestExecution",
  requestInsights: "requestEvalRunInsights",
  readEvals: "listEvalSuites",
  writeEvalSuites: "createEvalSuite",
  launchEvalRun: "createEvalRun",
  deleteAnyEvalSuite: "deleteEvalSuite",
  deleteAnyEvalRun: "deleteEvalRun",
  exportEvalTraces: "exportTracesOtlp",
  writeEnvironments: "createEnvironment",
  manageGates: "createGateWaiver",
};

/** What whoever made it may do to their own, an admin may do to anybody's. */
const takesAdmin: readonly ProjectAction[] = ["deleteAnyEvalSuite", "deleteAnyEvalRun"];

function canDo(action: ProjectAction, project: ProjectContext): boolean {
  const { built, access } = operationTable[decidedBy[action]];
  if (!built || (takesAdmin.includes(action) && !project.isAdmin)) return false;
  return holdsRole(access, { project });
}

export async function readCapabilities(db: Querier, project: ProjectContext): Promise<ProjectCapabilities> {
  const organization = await findOrganization(db, project.organizationId);
  if (!organization) throw notFound("project");
  const can = Object.fromEntries(projectActions.map((action) => [action, canDo(action, project)]));
  return {
    projectId: project.id,
    organizationId: project.organizationId,
    role: project.organizationRole ?? "guest",
    projectRole: project.isAdmin ? "admin" : "editor",
    surface: "api",
    features: { sandboxes: { enabled: true, mode: "off", enforced: false } },
    plan: { name: organization.plan, limits: {}, features: {} },
    // Made from the same list of actions, so every one of them is there.
    can: can as ProjectCapabilities["can"],
  };
}
