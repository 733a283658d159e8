/** @module A readiness run: how far it is, how it is graded, and what a model added, three questions that never answer each other. No number of merit anywhere. */
import { z } from "zod";
import { limits } from "../../core/limits/limits.ts";
import { Timestamp } from "../../core/timestamp.ts";
import {
  hostedSubmissionModes,
  observationReasons,
  observationStatuses,
  readinessAuthModes,
  readinessClasses,
  readinessFindingStatuses,
  readinessGrades,
  readinessIntrusivenesses,
  readinessKinds,
  readinessLanes,
  readinessProvenances,
  readinessStages,
  readinessStatuses,
  runnerCapabilities,
  submissionModes,
} from "./words.ts";

const Grade = z.enum(readinessGrades);
const Lane = z.enum(readinessLanes);
const count = z.int().min(0);

const start = {
  idempotencyKey: z
    .string()
    .trim()
    .min(1)
    .max(limits.idempotency.maxBodyKeyLength)
    .optional()
    .describe("The same key for the same server is the same run"),
  includeLlmObservations: z
    .boolean()
    .default(false)
    .describe("Let a model look too: it spends, and never decides"),
};

export const DirectoryAReadinessStart = z.strictObject(start).meta({ id: "DirectoryAReadinessStart" });
export type DirectoryAReadinessStart = z.output<typeof DirectoryAReadinessStart>;

export const DirectoryBReadinessStart = z
  .strictObject({
    submissionMode: z
      .enum(submissionModes)
      .describe(
        `What is submitted; never inferred. The service grades ${hostedSubmissionModes.join(" and ")}: nothing is uploaded to it`,
      ),
    ...start,
  })
  .meta({ id: "DirectoryBReadinessStart" });
export type DirectoryBReadinessStart = z.output<typeof DirectoryBReadinessStart>;

export const ReadinessRunReceipt = z
  .object({
    runId: z.string(),
    projectId: z.string(),
    serverId: z.string(),
    readinessKind: z.enum(readinessKinds),
    status: z.enum(readinessStatuses),
    deduped: z.boolean().describe("The key had started this run before"),
    includeLlmObservations: z.boolean(),
  })
  .meta({ id: "ReadinessRunReceipt" });
export type ReadinessRunReceipt = z.output<typeof ReadinessRunReceipt>;

export const ReadinessLaneGrade = z
  .object({
    lane: Lane,
    status: Grade,
    evaluated: count,
    notEvaluated: count,
    notApplicable: count,
    missingInputs: z.array(z.string()).describe("What to supply so that the rest can be judged"),
  })
  .meta({ id: "ReadinessLaneGrade" });
export type ReadinessLaneGrade = z.output<typeof ReadinessLaneGrade>;

export const ReadinessStageGrade = z
  .object({ stage: z.enum(readinessStages), status: Grade, lanes: z.array(Lane) })
  .meta({ id: "ReadinessStageGrade" });
export type ReadinessStageGrade = z.output<typeof ReadinessStageGrade>;

export const ReadinessObservations = z
  .object({
    status: z.enum(observationStatuses),
    reason: z.enum(observationReasons).optional(),
    detail: z.string().optional(),
  })
  .meta({ id: "ReadinessObservations" });
export type ReadinessObservations = z.output<typeof ReadinessObservations>;

export const ReadinessRun = z
  .object({
    id: z.string(),
    projectId: z.string(),
    readinessKind: z.enum(readinessKinds),
    serverId: z.string().nullable(),
    serverUrl: z.string(),
    submissionMode: z.enum(submissionModes).nullable(),
    status: z.enum(readinessStatuses).describe("Whether the run has finished"),
    overallStatus: Grade.nullable().describe("The grade: a completed run can be not ready. Null until then"),
    lanes: z.array(ReadinessLaneGrade),
    stages: z.array(ReadinessStageGrade),
    authMode: z.enum(readinessAuthModes).nullable(),
    capabilities: z.array(z.enum(runnerCapabilities)),
    attemptCount: count.describe("How often a worker has taken it up"),
    terminalReason: z.string().nullable(),
    errorMessage: z.string().nullable(),
    policySnapshotDate: z.string().nullable(),
    engineVersion: z.string().nullable(),
    sdkVersion: z
      .string()
      .nullable()
      .describe("Of the package that graded; here it is the engine, so the same as engineVersion"),
    includeLlmObservations: z.boolean(),
    llmObservations: ReadinessObservations.describe("Whether the optional pass of a model ran"),
    hasReport: z.boolean(),
    reportUrl: z.string().nullable().describe("The report's page"),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "ReadinessRun" });
export type ReadinessRun = z.output<typeof ReadinessRun>;

export const ReadinessCancellation = z
  .object({
    runId: z.string(),
    projectId: z.string(),
    status: z
      .literal("cancelled")
      .describe("The request was taken; how the run ended shows when it is read later"),
  })
  .meta({ id: "ReadinessCancellation" });

export const ReadinessFindingView = z
  .object({
    id: z.string(),
    title: z.string(),
    lane: Lane,
    class: z.enum(readinessClasses),
    status: z.enum(readinessFindingStatuses),
    message: z.string().optional(),
    remediation: z.string().optional(),
    source: z.object({
      page: z.string(),
      section: z.string(),
      url: z.string(),
      revision: z.string().nullable(),
      snapshotDate: z.string(),
      disagreeing: z
        .object({ page: z.string(), url: z.string(), snapshotDate: z.string(), says: z.string() })
        .optional()
        .describe("Another page of the publisher that says something else; such a rule never decides"),
    }),
    provenance: z.enum(readinessProvenances),
    intrusiveness: z.enum(readinessIntrusivenesses),
    requiresCapabilities: z.array(z.enum(runnerCapabilities)).optional(),
    derivedFrom: z.array(z.string()).optional(),
    notEvaluatedReason: z.string().optional(),
    missingInput: z.string().optional(),
    evaluatedAt: z.string(),
    engineVersion: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "ReadinessFinding" });
export type ReadinessFindingView = z.output<typeof ReadinessFindingView>;

export const ReadinessReportView = z
  .object({
    runId: z.string(),
    readinessKind: z.enum(readinessKinds),
    status: Grade,
    summary: z.string(),
    lanes: z.array(ReadinessLaneGrade),
    stages: z.array(ReadinessStageGrade),
    badges: z.array(z.object({ id: z.string(), title: z.string(), state: z.string() })),
    observations: ReadinessObservations,
    findings: z.array(ReadinessFindingView).describe("Most consequential first"),
    returnedFindings: count,
    totalFindings: count,
    truncated: z.boolean(),
  })
  .meta({ id: "ReadinessReport" });
export type ReadinessReportView = z.output<typeof ReadinessReportView>;
