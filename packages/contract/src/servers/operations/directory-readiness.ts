/** @module Operations of the Directory readiness tag: grading against a publisher's listing requirements. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { RunDeleted } from "../../runs/run-deleted.ts";
import { readinessLimits } from "../readiness/limits.ts";
import {
  DirectoryAReadinessStart,
  DirectoryBReadinessStart,
  ReadinessCancellation,
  ReadinessReportView,
  ReadinessRun,
  ReadinessRunReceipt,
} from "../readiness/readiness-run.ts";
import { readinessWords } from "../readiness/words.ts";

const tag = "Directory readiness";

export const startDirectoryAReadinessRun = operation({
  id: "startDirectoryAReadinessRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/readiness-runs/directory-a",
  aliases: ["/projects/{projectId}/servers/{serverId}/readiness-runs/claude"],
  access: access.project.read,
  summary: "Grade a saved server against the Claude directory's listing requirements",
  description:
    "Grades a saved server against what Anthropic's directory asks of listings, in the background. Model observations are made only when asked for.",
  cli: "fettle readiness start claude",
  status: 202,
  spends: "opt_in",
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  built: true,
  body: DirectoryAReadinessStart,
  output: ReadinessRunReceipt,
});

export const startDirectoryBReadinessRun = operation({
  id: "startDirectoryBReadinessRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/readiness-runs/directory-b",
  aliases: ["/projects/{projectId}/servers/{serverId}/readiness-runs/openai"],
  access: access.project.read,
  summary: "Grade a saved server against the OpenAI directory's listing requirements",
  description:
    "Grades a saved server against what OpenAI's directory asks of listings, in the background. `submissionMode` says what would be submitted.",
  cli: "fettle readiness start openai",
  status: 202,
  spends: "opt_in",
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  built: true,
  body: DirectoryBReadinessStart,
  output: ReadinessRunReceipt,
});

export const listReadinessRuns = operation({
  id: "listReadinessRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/readiness-runs",
  access: access.project.read,
  summary: "List readiness runs, newest first",
  description: "Lists readiness runs of all servers of a project, newest first.",
  cli: "fettle readiness list",
  errors: ["VALIDATION_ERROR"],
  built: true,
  query: z.strictObject({
    readinessKind: z.enum(readinessWords).optional().describe("The earlier words are taken for one release"),
    serverId: idOf<"server">().optional(),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.page.readiness.max)
      .default(limits.page.readiness.fallback),
  }),
  output: page(ReadinessRun),
});

export const getReadinessRun = operation({
  id: "getReadinessRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/readiness-runs/{runId}",
  access: access.project.read,
  summary: "Read one readiness run",
  description: "Reads one readiness run with the status of each lane. There is no overall number.",
  cli: "fettle readiness status",
  built: true,
  output: ReadinessRun,
});

export const cancelReadinessRun = operation({
  id: "cancelReadinessRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/readiness-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Ask a readiness run to stop",
  description: "Asks a readiness run to stop. Canceling it again answers the same.",
  effect: "cancel",
  cli: "fettle readiness cancel",
  errors: ["CONFLICT"],
  built: true,
  output: ReadinessCancellation,
});

export const deleteReadinessRun = operation({
  id: "deleteReadinessRun",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/readiness-runs/{runId}",
  access: access.project.read,
  elevated: "the person who started the run, or the manage tier",
  summary: "Delete a finished readiness run with its report",
  description: "Deletes a readiness run with its report. A run that is still going has to be canceled first.",
  cli: "fettle readiness delete",
  errors: ["CONFLICT"],
  output: RunDeleted,
  built: true,
});

export const getReadinessReport = operation({
  id: "getReadinessReport",
  tag,
  method: "GET",
  path: "/projects/{projectId}/readiness-runs/{runId}/report",
  access: access.project.read,
  summary: "The findings of a readiness run, most consequential first",
  description: "Reads the findings of a run, most consequential first, with what to do about each.",
  cli: "fettle readiness report",
  errors: ["VALIDATION_ERROR"],
  built: true,
  query: z.strictObject({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(readinessLimits.reportedFindings.max)
      .default(readinessLimits.reportedFindings.fallback),
  }),
  output: ReadinessReportView,
});
