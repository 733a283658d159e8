/** @module Operations of the User testing tag: publishing to visitors, their sessions, and the findings. */
import { access, operation } from "../operation.ts";
import { UserTestingScenarioDetail } from "../resources/scenario.ts";

const tag = "User testing";

export const publishScenario = operation({
  id: "publishScenario",
  tag,
  method: "PUT",
  path: "/projects/{projectId}/environments/{environmentId}/scenario",
  access: access.project.admin,
  summary: "Publish an environment for visitors to test",
  errors: ["VALIDATION_ERROR"],
});

export const unpublishScenario = operation({
  id: "unpublishScenario",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/environments/{environmentId}/scenario",
  access: access.project.admin,
  summary: "Take a published scenario down",
  narrows: true,
});

export const updateUserTestingScenario = operation({
  id: "updateUserTestingScenario",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}",
  access: access.project.read,
  summary: "Rename a scenario or change who may open it",
  narrows: true,
  errors: ["VALIDATION_ERROR"],
});

export const getUserTestingScenario = operation({
  id: "getUserTestingScenario",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}",
  access: access.project.read,
  elevated: "workspace members also receive insights",
  summary: "Read a scenario and, for workspace members, its findings",
  output: UserTestingScenarioDetail,
});

export const listUserTestingSessions = operation({
  id: "listUserTestingSessions",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/sessions",
  access: access.project.read,
  summary: "List visitors' sessions",
});

export const getUserTestingSession = operation({
  id: "getUserTestingSession",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/sessions/{sessionId}",
  access: access.project.read,
  summary: "Read one visitor's session",
});

export const setGuestExecution = operation({
  id: "setGuestExecution",
  tag,
  method: "PUT",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/guest-execution",
  access: access.project.admin,
  summary: "Set what anonymous visitors may run, and their caps",
  errors: ["VALIDATION_ERROR"],
});

export const rotateScenarioLink = operation({
  id: "rotateScenarioLink",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/rotate-link",
  access: access.project.read,
  summary: "Replace the share link; those already in stay",
  narrows: true,
});

export const upsertScenarioMember = operation({
  id: "upsertScenarioMember",
  tag,
  method: "PUT",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/members",
  access: access.project.read,
  summary: "Invite a person to a scenario",
  errors: ["VALIDATION_ERROR"],
});

export const removeScenarioMember = operation({
  id: "removeScenarioMember",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/members/{memberIdOrEmail}",
  access: access.project.read,
  summary: "Remove a person from a scenario and end their sessions",
  narrows: true,
});

export const rebindScenario = operation({
  id: "rebindScenario",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/rebind",
  access: access.project.admin,
  summary: "Point a scenario at another environment",
  errors: ["VALIDATION_ERROR"],
});

export const getUserTestingMetrics = operation({
  id: "getUserTestingMetrics",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/metrics",
  access: access.project.read,
  summary: "Count sessions, messages and feedback",
  errors: ["VALIDATION_ERROR"],
});

export const getUserTestingUsage = operation({
  id: "getUserTestingUsage",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/usage",
  access: access.project.read,
  summary: "Which models, tools and servers visitors used",
});

export const getUserTestingSignals = operation({
  id: "getUserTestingSignals",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/signals",
  access: access.project.read,
  summary: "The signals of the current window",
});

export const listUserTestingFindings = operation({
  id: "listUserTestingFindings",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/findings",
  access: access.project.workspaceMember,
  summary: "List a scenario's findings",
});

export const getUserTestingWindowInsights = operation({
  id: "getUserTestingWindowInsights",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/windows/{windowId}/insights",
  access: access.project.workspaceMember,
  summary: "Read the insights of one window",
});

export const requestUserTestingInsights = operation({
  id: "requestUserTestingInsights",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/insights",
  access: access.project.workspaceMember,
  summary: "Ask for insights over the current window",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const cancelUserTestingInsights = operation({
  id: "cancelUserTestingInsights",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/insights",
  access: access.project.workspaceMember,
  summary: "Cancel insights that are being made",
  errors: ["VALIDATION_ERROR"],
});

export const dismissUserTestingFinding = operation({
  id: "dismissUserTestingFinding",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/findings/{findingId}/dismiss",
  access: access.project.workspaceMember,
  summary: "Dismiss a finding",
});

export const undismissUserTestingFinding = operation({
  id: "undismissUserTestingFinding",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/findings/{findingId}/undismiss",
  access: access.project.workspaceMember,
  summary: "Bring a dismissed finding back",
});
