/** @module Operations of the User testing tag: publishing to visitors, their sessions, and the findings. */
import { z } from "zod";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import { pageQuery } from "../../core/page.ts";
import {
  ScenarioFindingDismissed,
  ScenarioFindingPage,
  ScenarioInsightsCanceled,
  ScenarioInsightsCancelRequest,
  ScenarioInsightsRequest,
  ScenarioInsightsRequested,
  ScenarioSignals,
  ScenarioWindowInsights,
} from "../user-testing/insights.ts";
import {
  GuestExecution,
  GuestExecutionSet,
  Scenario,
  ScenarioDeleted,
  ScenarioLinkRotated,
  ScenarioLinkRotateRequest,
  ScenarioMemberAdded,
  ScenarioMemberRemoved,
  ScenarioMemberRequest,
  ScenarioPublishRequest,
  ScenarioRebindRequest,
  ScenarioUpdateRequest,
  UserTestingScenario,
  UserTestingScenarioDetail,
} from "../user-testing/scenario.ts";
import {
  ScenarioMetrics,
  ScenarioUsage,
  UserTestingSessionDetail,
  UserTestingSessionPage,
  UserTestingSessionQuery,
} from "../user-testing/sessions.ts";
import { populations } from "../user-testing/words.ts";

const tag = "User testing";

export const publishScenario = operation({
  id: "publishScenario",
  tag,
  method: "PUT",
  path: "/projects/{projectId}/environments/{environmentId}/scenario",
  access: access.project.admin,
  summary: "Publish an environment for visitors to test",
  description:
    "Publishes an environment to visitors and answers the share link. Publishing it again updates it under the same link.",
  makes: true,
  effect: "outside",
  cli: "fettle cloud scenarios publish",
  built: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: ScenarioPublishRequest,
  output: Scenario,
});

export const unpublishScenario = operation({
  id: "unpublishScenario",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/environments/{environmentId}/scenario",
  access: access.project.admin,
  summary: "Take a published scenario down",
  description:
    "Takes a scenario down. Its link stops working at once; sessions are kept until they are deleted.",
  cli: "fettle cloud scenarios unpublish",
  built: true,
  narrows: true,
  output: ScenarioDeleted,
});

export const updateUserTestingScenario = operation({
  id: "updateUserTestingScenario",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}",
  access: access.project.read,
  summary: "Rename a scenario or change who may open it",
  description:
    "Changes a scenario's name, who may come, or how visitors rate answers. A narrower mode acts at once on visitors who are there.",
  cli: "fettle cloud user-testing update",
  built: true,
  narrows: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: ScenarioUpdateRequest,
  output: UserTestingScenario,
});

export const getUserTestingScenario = operation({
  id: "getUserTestingScenario",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}",
  access: access.project.read,
  elevated: "workspace members also receive insights",
  summary: "Read a scenario and, for workspace members, its findings",
  description: "Reads a scenario with its settings, its link and, for workspace members, its insights.",
  cli: "fettle cloud user-testing get",
  built: true,
  output: UserTestingScenarioDetail,
});

export const listUserTestingSessions = operation({
  id: "listUserTestingSessions",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/sessions",
  access: access.project.read,
  summary: "List visitors' sessions",
  description: "Lists the sessions of visitors, newest first.",
  cli: "fettle cloud user-testing sessions",
  built: true,
  query: UserTestingSessionQuery,
  output: UserTestingSessionPage,
  errors: ["VALIDATION_ERROR"],
});

export const getUserTestingSession = operation({
  id: "getUserTestingSession",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/sessions/{sessionId}",
  access: access.project.read,
  summary: "Read one visitor's session",
  description: "Reads one session of a visitor with its messages and ratings.",
  cli: "fettle cloud user-testing session",
  built: true,
  query: pageQuery(limits.userTesting.listed),
  output: UserTestingSessionDetail,
  errors: ["VALIDATION_ERROR"],
});

export const setGuestExecution = operation({
  id: "setGuestExecution",
  tag,
  method: "PUT",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/guest-execution",
  access: access.project.admin,
  summary: "Set what anonymous visitors may run, and their caps",
  description: "Sets what guests without an account may use and spend in a scenario.",
  effect: "person",
  cli: "fettle cloud user-testing guest-execution",
  built: true,
  errors: ["VALIDATION_ERROR"],
  body: GuestExecution,
  output: GuestExecutionSet,
});

export const rotateScenarioLink = operation({
  id: "rotateScenarioLink",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/rotate-link",
  access: access.project.read,
  summary: "Replace the share link; those already in stay",
  description:
    "Replaces the share link. The old one stops working at once; with `evictRedeemed` visitors who came by it have to come again.",
  cli: "fettle cloud user-testing rotate-link",
  built: true,
  narrows: true,
  body: ScenarioLinkRotateRequest,
  output: ScenarioLinkRotated,
  errors: ["VALIDATION_ERROR"],
});

export const upsertScenarioMember = operation({
  id: "upsertScenarioMember",
  tag,
  method: "PUT",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/members",
  access: access.project.read,
  summary: "Invite a person to a scenario",
  description:
    "Invites a person by email. Inviting the same address again changes nothing. `sendInviteEmail: false` only grants access.",
  effect: "person",
  cli: "fettle cloud user-testing invite",
  built: true,
  errors: ["VALIDATION_ERROR"],
  body: ScenarioMemberRequest,
  output: ScenarioMemberAdded,
});

export const removeScenarioMember = operation({
  id: "removeScenarioMember",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/members/{memberIdOrEmail}",
  access: access.project.read,
  summary: "Remove a person from a scenario and end their sessions",
  description: "Takes access from an invited person, by member id or email. It acts at once.",
  cli: "fettle cloud user-testing remove-member",
  built: true,
  narrows: true,
  output: ScenarioMemberRemoved,
});

export const rebindScenario = operation({
  id: "rebindScenario",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/rebind",
  access: access.project.admin,
  summary: "Point a scenario at another environment",
  description: "Points a scenario at another environment. Link, members and sessions stay.",
  effect: "person",
  cli: "fettle cloud user-testing rebind",
  built: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: ScenarioRebindRequest,
  output: Scenario,
});

export const getUserTestingMetrics = operation({
  id: "getUserTestingMetrics",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/metrics",
  access: access.project.read,
  summary: "Count sessions, messages and feedback",
  description: "Reads visitors, sessions, ratings and completion over time.",
  cli: "fettle cloud user-testing metrics",
  built: true,
  errors: ["VALIDATION_ERROR"],
  query: z.strictObject({ population: z.enum(populations).default("real") }),
  output: ScenarioMetrics,
});

export const getUserTestingUsage = operation({
  id: "getUserTestingUsage",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/usage",
  access: access.project.read,
  summary: "Which models, tools and servers visitors used",
  description: "Reads what visitors used and what it cost, against the caps.",
  cli: "fettle cloud user-testing usage",
  built: true,
  output: ScenarioUsage,
});

export const getUserTestingSignals = operation({
  id: "getUserTestingSignals",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/signals",
  access: access.project.read,
  summary: "The signals of the latest window that was looked at",
  description: "Reads how often each known signal (failed tools, repeated questions, low ratings) was seen.",
  cli: "fettle cloud user-testing signals",
  built: true,
  output: ScenarioSignals,
});

export const listUserTestingFindings = operation({
  id: "listUserTestingFindings",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/findings",
  access: access.project.workspaceMember,
  summary: "List a scenario's findings, dismissed ones too",
  description: "Lists the problems that visitors met, with evidence.",
  cli: "fettle cloud user-testing findings",
  built: true,
  query: pageQuery(limits.userTesting.listed),
  output: ScenarioFindingPage,
  errors: ["VALIDATION_ERROR"],
});

export const getUserTestingWindowInsights = operation({
  id: "getUserTestingWindowInsights",
  tag,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/windows/{windowId}/insights",
  access: access.project.workspaceMember,
  summary: "Read the insights of one window",
  description: "Reads the findings of one window of sessions.",
  cli: "fettle cloud user-testing insights",
  built: true,
  output: ScenarioWindowInsights,
});

export const requestUserTestingInsights = operation({
  id: "requestUserTestingInsights",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/insights",
  access: access.project.workspaceMember,
  summary: "Ask for insights over the current window",
  description:
    "Has the sessions since the last look examined for problems, as one window. Follow it with `getUserTestingScenario`.",
  cli: "fettle cloud user-testing request-insights",
  status: 202,
  spends: true,
  idempotent: true,
  built: true,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  body: ScenarioInsightsRequest,
  output: ScenarioInsightsRequested,
});

export const cancelUserTestingInsights = operation({
  id: "cancelUserTestingInsights",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/insights",
  access: access.project.workspaceMember,
  summary: "Cancel insights that are being made; earlier findings stay",
  description:
    "Stops insights that are being made for a window. They read `failed` with the error code `cancelled`; what was found before stays.",
  cli: "fettle cloud user-testing cancel-insights",
  built: true,
  errors: ["VALIDATION_ERROR"],
  body: ScenarioInsightsCancelRequest,
  output: ScenarioInsightsCanceled,
});

export const dismissUserTestingFinding = operation({
  id: "dismissUserTestingFinding",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/findings/{findingId}/dismiss",
  access: access.project.workspaceMember,
  summary: "Dismiss a finding",
  description: "Hides a finding as known or not a problem.",
  effect: "write",
  touches: "everyone",
  cli: "fettle cloud user-testing dismiss-finding",
  built: true,
  output: ScenarioFindingDismissed,
});

export const undismissUserTestingFinding = operation({
  id: "undismissUserTestingFinding",
  tag,
  method: "POST",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/findings/{findingId}/undismiss",
  access: access.project.workspaceMember,
  summary: "Bring a dismissed finding back",
  description: "Shows a dismissed finding again.",
  effect: "write",
  touches: "everyone",
  cli: "fettle cloud user-testing undismiss-finding",
  built: true,
  output: ScenarioFindingDismissed,
});
