/** @module Operations of the Swarm runs tag: launching and following journey runs. */
import { access, operation } from "../operation.ts";

const tag = "Swarm runs";

export const listJourneyRuns = operation({
  id: "listJourneyRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys/{journeyId}/runs",
  access: access.project.read,
  summary: "List a journey's runs, newest first",
});

export const launchJourneyRun = operation({
  id: "launchJourneyRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journeys/{journeyId}/runs",
  access: access.project.read,
  summary: "Start a journey run",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getJourneyRun = operation({
  id: "getJourneyRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}",
  access: access.project.read,
  elevated: "workspace members also receive insights",
  summary: "Read one journey run with its attempts",
});

export const listJourneyRunSessions = operation({
  id: "listJourneyRunSessions",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}/sessions",
  access: access.project.read,
  summary: "List the sessions of a journey run",
});

export const cancelJourneyRun = operation({
  id: "cancelJourneyRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journey-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Cancel a journey run",
  errors: ["CONFLICT"],
});
