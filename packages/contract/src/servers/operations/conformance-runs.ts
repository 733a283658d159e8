import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import { page, pageQuery } from "../../core/page.ts";
import { RunDeleted } from "../../runs/run-deleted.ts";
import {
  ConformanceComparison,
  ConformanceExport,
  ConformanceIngestFinished,
  ConformanceIngestOk,
  ConformanceIngestReport,
  ConformanceIngestRun,
  ConformanceIngestStart,
  ConformanceIngestStarted,
  ConformanceIngestWhole,
  ConformanceReportView,
  ConformanceRun,
  ConformanceRunStarted,
  ConformanceRunStartRequest,
  ConformanceSchedule,
  ConformanceScheduleRequest,
} from "../conformance/conformance-run.ts";
import { conformanceExportFormats } from "../conformance/words.ts";

const tag = "Conformance runs";

export const startConformanceRun = operation({
  id: "startConformanceRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/conformance-runs",
  access: access.project.read,
  summary: "Start conformance checks of a saved server",
  description:
    "Checks a saved server against the MCP specification, in the background. Without `suites` all that apply are run.",
  effect: "outside",
  status: 202,
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  built: true,
  body: ConformanceRunStartRequest,
  output: ConformanceRunStarted,
});

export const getConformanceSchedule = operation({
  id: "getConformanceSchedule",
  tag,
  method: "GET",
  path: "/projects/{projectId}/servers/{serverId}/conformance-schedule",
  access: access.project.read,
  summary: "When a saved server is checked by itself",
  description: "Reads at which interval a server is checked, and when it is next.",
  built: true,
  cli: "fettle cloud projects servers schedule",
  output: ConformanceSchedule,
});

export const updateConformanceSchedule = operation({
  id: "updateConformanceSchedule",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/servers/{serverId}/conformance-schedule",
  access: access.project.read,
  summary: "Check a saved server at an interval, or stop doing so",
  description: "Checks a server at an interval, or stops doing so.",
  effect: "outside",
  errors: ["VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED"],
  built: true,
  cli: "fettle cloud projects servers schedule update",
  body: ConformanceScheduleRequest,
  output: ConformanceSchedule,
});

export const listConformanceRuns = operation({
  id: "listConformanceRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/conformance-runs",
  access: access.project.read,
  summary: "List conformance runs, newest first",
  description: "Lists conformance runs of all servers of a project, newest first.",
  cli: "fettle cloud conformance runs",
  errors: ["VALIDATION_ERROR"],
  built: true,
  query: pageQuery(limits.page.conformance).extend({ serverId: idOf<"server">().optional() }),
  output: page(ConformanceRun),
});

export const getConformanceRun = operation({
  id: "getConformanceRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/conformance-runs/{runId}",
  access: access.project.read,
  summary: "Read one conformance run",
  description: "Reads one conformance run with the outcome of each suite.",
  built: true,
  output: ConformanceRun,
});

export const getConformanceReport = operation({
  id: "getConformanceReport",
  tag,
  method: "GET",
  path: "/projects/{projectId}/conformance-runs/{runId}/report",
  access: access.project.read,
  summary: "The checks of a run that failed or could not run",
  description: "Reads the checks that failed or could not run, with what was sent and received.",
  built: true,
  output: ConformanceReportView,
});

export const compareConformanceRuns = operation({
  id: "compareConformanceRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/conformance-runs/{runId}/compare",
  access: access.project.read,
  summary: "Which checks came out otherwise than in an earlier run",
  description:
    "Compares a run with an earlier one, check by check. Without `with` it takes the last one of the same server before it.",
  errors: ["VALIDATION_ERROR"],
  built: true,
  query: z.strictObject({
    with: idOf<"conformanceRun">()
      .optional()
      .describe("The last run of the same server before it, unless said"),
  }),
  output: ConformanceComparison,
});

export const exportConformanceRun = operation({
  id: "exportConformanceRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/conformance-runs/{runId}/export",
  access: access.project.read,
  summary: "A run as a file: JSON, a summary for CI, or JUnit",
  description: "Answers a run as a file in one of three formats, with the file's name and its text.",
  effect: "person",
  errors: ["VALIDATION_ERROR"],
  built: true,
  query: z.strictObject({ format: z.enum(conformanceExportFormats).default("json") }),
  output: ConformanceExport,
});

export const cancelConformanceRun = operation({
  id: "cancelConformanceRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/conformance-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Cancel a conformance run that has not finished",
  description: "Stops a conformance run. Reports of suites that have finished are kept.",
  effect: "cancel",
  errors: ["CONFLICT"],
  built: true,
  output: ConformanceRun,
});

export const deleteConformanceRun = operation({
  id: "deleteConformanceRun",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/conformance-runs/{runId}",
  access: access.project.read,
  elevated: "the person who started the run, or the manage tier",
  summary: "Delete a finished conformance run with its reports",
  description:
    "Deletes a conformance run with its reports. A run that is still going has to be canceled first.",
  cli: "fettle cloud conformance runs delete",
  errors: ["CONFLICT"],
  output: RunDeleted,
  built: true,
});

export const reportConformanceRun = operation({
  id: "reportConformanceRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/conformance-ingest/report",
  access: access.project.readOrDefault,
  summary: "Report finished conformance results made elsewhere",
  description: "Stores a finished conformance run that was made elsewhere, with the report of each suite.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ConformanceIngestWhole,
  output: ConformanceIngestFinished,
});

export const startConformanceIngestRun = operation({
  id: "startConformanceIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/conformance-ingest/runs/start",
  access: access.project.readOrDefault,
  summary: "Begin reporting conformance results made elsewhere",
  description:
    "Opens a conformance run that is reported suite by suite. The same `externalRunId` answers the run that was opened before.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ConformanceIngestStart,
  output: ConformanceIngestStarted,
});

export const upsertConformanceIngestReport = operation({
  id: "upsertConformanceIngestReport",
  tag,
  method: "POST",
  path: "/projects/{projectId}/conformance-ingest/runs/reports",
  access: access.project.readOrDefault,
  summary: "Report one suite's conformance results",
  description: "Saves the report of one suite of a run that is being reported. A later one replaces it.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ConformanceIngestReport,
  output: ConformanceIngestOk,
});

export const heartbeatConformanceIngestRun = operation({
  id: "heartbeatConformanceIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/conformance-ingest/runs/heartbeat",
  access: access.project.readOrDefault,
  summary: "Say that a reported run is still going",
  description:
    "Says that a run that is being reported still goes on. A run that is silent for too long is ended as lost.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ConformanceIngestRun,
  output: ConformanceIngestOk,
});

export const finalizeConformanceIngestRun = operation({
  id: "finalizeConformanceIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/conformance-ingest/runs/finalize",
  access: access.project.readOrDefault,
  summary: "Finish a reported conformance run",
  description:
    "Ends a conformance run that is being reported and decides its outcome. Finalizing it again answers the same.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ConformanceIngestRun,
  output: ConformanceIngestFinished,
});
