/** @module What the workspace agent proposed, decided by a person in the web app: no key and no program may. */
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { AgentAction, agentActionQuery } from "../../agent.ts";

const tag = "App agent";
const surface = "app";
const all = "/projects/{projectId}/agent-actions";

export const listAgentActions = operation({
  id: "listAgentActions",
  tag,
  surface,
  method: "GET",
  path: all,
  access: access.project.read,
  summary: `What the agent proposed, the latest ${limits.agent.listed} first`,
  built: true,
  query: agentActionQuery,
  output: page(AgentAction),
  errors: ["VALIDATION_ERROR"],
});

export const approveAgentAction = operation({
  id: "approveAgentAction",
  tag,
  surface,
  method: "POST",
  path: `${all}/{actionId}/approve`,
  access: access.project.read,
  elevated: "whoever may call the proposed operation",
  summary: "Do what the agent proposed, once, as oneself and exactly as it was shown",
  spends: "opt_in",
  built: true,
  output: AgentAction,
  errors: ["CONFLICT"],
});

export const declineAgentAction = operation({
  id: "declineAgentAction",
  tag,
  surface,
  method: "POST",
  path: `${all}/{actionId}/decline`,
  access: access.project.read,
  summary: "Set aside what the agent proposed",
  built: true,
  output: AgentAction,
  errors: ["CONFLICT"],
});
