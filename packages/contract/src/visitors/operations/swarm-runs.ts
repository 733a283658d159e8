/** @module Operations of the Swarm runs tag: launching and following journey runs. */

import { access, operation } from "../../core/operation.ts";
import { page, pageQuery } from "../../core/page.ts";
import { RunDeleted } from "../../runs/run-deleted.ts";
import {
  JourneyRun,
  JourneyRunCanceled,
  JourneyRunDetail,
  JourneyRunEstimate,
  JourneyRunLaunched,
  JourneyRunLaunchRequest,
  JourneyRunSession,
  JourneyRunSessionDetail,
} from "../swarms/journey-run.ts";
import { journeyRunEvents } from "../swarms/journey-run-events.ts";
import { swarmLimits } from "../swarms/limits.ts";

const tag = "Swarm runs";
const listed = pageQuery(swarmLimits.listed);

export const listJourneyRuns = operation({
  id: "listJourneyRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys/{journeyId}/runs",
  access: access.project.read,
  summary: "List a journey's runs, newest first",
  description: "Lists the runs of one journey, newest first.",
  cli: "fettle cloud journeys runs",
  query: listed,
  output: page(JourneyRun),
  built: true,
});

export const estimateJourneyRun = operation({
  id: "estimateJourneyRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys/{journeyId}/runs/estimate",
  access: access.project.read,
  summary: "What launching a journey would do, and cost at most",
  description:
    "Tells how many sessions a launch would play, with which models, and what they cost at most. Nothing is started.",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud journeys estimate",
  output: JourneyRunEstimate,
  built: true,
});

export const launchJourneyRun = operation({
  id: "launchJourneyRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journeys/{journeyId}/runs",
  access: access.project.read,
  summary: "Start a journey run",
  description:
    "Starts a run of a journey: simulated visitors meet the servers in the background. Runs with the same `waveId` belong together. Follow it with `streamJourneyRun` or `getJourneyRun`.",
  status: 202,
  spends: true,
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud journeys run",
  body: JourneyRunLaunchRequest,
  output: JourneyRunLaunched,
  built: true,
});

export const getJourneyRun = operation({
  id: "getJourneyRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}",
  access: access.project.read,
  elevated: "workspace members also receive insights",
  summary: "Read one journey run with its attempts",
  description: "Reads one run with its attempts: one for each session in each place, with what became of it.",
  cli: "fettle cloud journeys status",
  output: JourneyRunDetail,
  built: true,
});

export const listJourneyRunSessions = operation({
  id: "listJourneyRunSessions",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}/sessions",
  access: access.project.read,
  summary: "List the sessions of a journey run",
  description: "Lists the sessions of a run with their outcome and grades.",
  cli: "fettle cloud journeys sessions",
  query: listed,
  output: page(JourneyRunSession),
  built: true,
});

export const getJourneyRunSession = operation({
  id: "getJourneyRunSession",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}/sessions/{sessionKey}",
  access: access.project.read,
  summary: "Read what was said in one session",
  description: "Reads one session: every message and call, and how each check came out.",
  cli: "fettle cloud journeys transcript",
  output: JourneyRunSessionDetail,
  built: true,
});

export const streamJourneyRun = operation({
  id: "streamJourneyRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}/events",
  access: access.project.read,
  summary: "Follow a journey run as it is played, as server-sent events",
  description:
    "Streams a run as server-sent events, first what was told so far, and ends with `run_complete`. Of a run that has ended, it tells what is still kept and ends at once.",
  effect: "person",
  raw: true,
  events: journeyRunEvents,
  built: true,
});

export const cancelJourneyRun = operation({
  id: "cancelJourneyRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journey-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Cancel a journey run",
  description:
    "Stops a run. Sessions that have ended are kept. Canceling it again answers `alreadyCanceled`.",
  effect: "cancel",
  errors: ["CONFLICT"],
  cli: "fettle cloud journeys cancel",
  output: JourneyRunCanceled,
  built: true,
});

export const deleteJourneyRun = operation({
  id: "deleteJourneyRun",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/journey-runs/{runId}",
  access: access.project.read,
  elevated: "the person who started the run, or the manage tier",
  summary: "Delete a finished journey run with its sessions",
  description: "Deletes a run with its sessions. A run that is still going has to be canceled first.",
  cli: "fettle cloud journeys runs delete",
  errors: ["CONFLICT"],
  output: RunDeleted,
  built: true,
});
