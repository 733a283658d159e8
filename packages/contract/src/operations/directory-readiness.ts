/** @module Operations of the Directory readiness tag: grading against a publisher's listing requirements. */
import { access, operation } from "../operation.ts";

const tag = "Directory readiness";

export const startDirectoryAReadinessRun = operation({
  id: "startDirectoryAReadinessRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/readiness-runs/directory-a",
  aliases: ["/projects/{projectId}/servers/{serverId}/readiness-runs/claude"],
  access: access.project.read,
  summary: "Grade a saved server against the Claude directory's listing requirements",
  status: 202,
  spends: "opt_in",
  errors: ["VALIDATION_ERROR"],
});

export const startDirectoryBReadinessRun = operation({
  id: "startDirectoryBReadinessRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/readiness-runs/directory-b",
  aliases: ["/projects/{projectId}/servers/{serverId}/readiness-runs/openai"],
  access: access.project.read,
  summary: "Grade a saved server against the OpenAI directory's listing requirements",
  status: 202,
  spends: "opt_in",
  errors: ["VALIDATION_ERROR"],
});

export const listReadinessRuns = operation({
  id: "listReadinessRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/readiness-runs",
  access: access.project.read,
  summary: "List readiness runs, newest first",
});

export const getReadinessRun = operation({
  id: "getReadinessRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/readiness-runs/{runId}",
  access: access.project.read,
  summary: "Read one readiness run",
});

export const cancelReadinessRun = operation({
  id: "cancelReadinessRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/readiness-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Ask a readiness run to stop",
  errors: ["CONFLICT"],
});

export const getReadinessReport = operation({
  id: "getReadinessReport",
  tag,
  method: "GET",
  path: "/projects/{projectId}/readiness-runs/{runId}/report",
  access: access.project.read,
  summary: "The findings of a readiness run, most consequential first",
});
