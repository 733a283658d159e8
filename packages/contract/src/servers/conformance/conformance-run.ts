/** @module A conformance run: what was checked, by whom, and what came of it. Status, outcome and score answer three questions. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { jsonObject } from "../../core/json-object.ts";
import { limits } from "../../core/limits/limits.ts";
import { Moment, Timestamp } from "../../core/timestamp.ts";
import { scheduleStates } from "../../runs/schedule-states.ts";
import { ConformanceSuiteReport } from "./conformance-report.ts";
import {
  conformanceCheckStates,
  conformanceOutcomes,
  conformanceSources,
  conformanceStatuses,
  conformanceSuites,
} from "./words.ts";

const Suite = z.enum(conformanceSuites);
const Outcome = z.enum(conformanceOutcomes);
const Status = z.enum(conformanceStatuses);
const Score = z.int().min(0).max(limits.conformance.score).nullable().describe("Null when nothing applied");
const count = z.int().min(0);
/** The zero character, which no database keeps, is in no name. */
const plain = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0]*$/, "The zero character is not allowed.");
const word = plain(limits.conformance.labelLength).trim().min(1);
const suites = z
  .array(Suite)
  .min(1)
  .max(conformanceSuites.length)
  .refine((list) => new Set(list).size === list.length, "A suite is named twice.");

export const ConformanceTarget = z
  .strictObject({
    kind: z.enum(["server", "github_repo", "external"]),
    serverId: idOf<"server">(word)
      .optional()
      .describe("A saved server of the project; needed for the kind `server`"),
    serverRef: plain(limits.text.addressLength).min(1).optional().describe("A repository, or another name"),
    serverUrl: z
      .url({ protocol: /^https?$/, error: "An http or https address." })
      .max(limits.text.addressLength)
      .refine((address) => !/^https?:\/\/[^/?#]*@/.test(address), "Leave credentials out of the address.")
      .optional()
      .describe("Kept without the values of its query"),
  })
  .superRefine(({ kind, serverId, serverRef, serverUrl }, context) => {
    const missing = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (kind === "server" && serverId === undefined) missing("serverId", "Say which saved server.");
    if (kind === "github_repo" && serverRef === undefined) missing("serverRef", "Say which repository.");
    if (kind === "external" && serverUrl === undefined && serverRef === undefined)
      missing("serverUrl", "Say which server, by its address or another name.");
  })
  .meta({ id: "ConformanceTarget" });
export type ConformanceTarget = z.output<typeof ConformanceTarget>;

const fixtureName = plain(limits.conformance.nameLength).min(1);

export const ConformanceFixtures = z
  .strictObject({
    toolCalls: z
      .array(z.strictObject({ toolName: fixtureName, arguments: jsonObject.default({}) }))
      .max(limits.conformance.fixtures)
      .default([]),
    promptGets: z
      .array(
        z.strictObject({ promptName: fixtureName, arguments: z.record(z.string(), z.string()).default({}) }),
      )
      .max(limits.conformance.fixtures)
      .default([]),
  })
  .describe("Tools and prompts that the protocol suite may execute; the tasks suite follows the first tool")
  .meta({ id: "ConformanceFixtures" });
export type ConformanceFixtures = z.output<typeof ConformanceFixtures>;

const nothingToTest = z
  .boolean()
  .describe("No check applied: the outcome is passed, since nothing is unmet, but nothing was proven either");

export const ConformanceRun = z
  .object({
    id: z.string(),
    projectId: z.string(),
    serverId: z.string().nullable(),
    target: z.object({
      kind: z.enum(["server", "github_repo", "external"]),
      serverRef: z.string().optional(),
      serverUrl: z.string().optional(),
    }),
    source: z.enum(conformanceSources),
    verification: z
      .enum(["hosted", "reported"])
      .describe("Whether the service made the checks itself, or was told of them"),
    actorLabel: z.string().nullable(),
    status: Status,
    progress: z
      .object({ suiteKind: Suite, done: count, total: count })
      .nullable()
      .describe("How far a run made here has come"),
    outcome: Outcome.nullable().describe("Null until the run has ended"),
    nothingToTest,
    incompleteReason: z.string().nullable(),
    score: Score,
    applicable: count,
    passed: count,
    failed: count,
    couldNotRun: count,
    notApplicable: count,
    pending: count,
    advisoryCount: count,
    requestedSuites: z.array(Suite),
    protocolVersion: z.string().nullable(),
    engineVersion: z.string().nullable(),
    externalRunId: z.string().nullable().describe("The reporter's own name for the run"),
    ci: z.record(z.string(), z.unknown()).nullable().describe("What the reporter said of its build"),
    options: z
      .object({ protocolVersion: z.string().nullable(), fixtures: ConformanceFixtures.nullable() })
      .nullable()
      .describe("What a run made here was started with, to start another like it; null for a reported one"),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
    durationMs: z.int().nullable(),
    reports: z.array(
      z.object({
        suiteKind: Suite,
        status: z.enum(["waiting", "reported", "missing"]),
        outcome: Outcome.nullable(),
        nothingToTest,
        score: Score,
        pending: count,
        profileId: z.string().nullable(),
        profileVersion: z.string().nullable(),
        durationMs: z.int().nullable(),
        hasReport: z.boolean(),
      }),
    ),
    reportUrl: z.string().describe("The run's page"),
  })
  .meta({ id: "ConformanceRun" });
export type ConformanceRun = z.output<typeof ConformanceRun>;

export const ConformanceReportView = z
  .object({
    runId: z.string(),
    status: Status,
    outcome: Outcome.nullable(),
    nothingToTest,
    score: Score,
    pending: count,
    checks: z
      .array(
        z.object({
          suiteKind: Suite,
          id: z.string(),
          title: z.string(),
          groupId: z.string(),
          status: z.enum(["failed", "skipped"]),
          pending: z.boolean(),
          skipReason: z.literal("could-not-run").optional(),
          error: z.object({ message: z.string() }).optional(),
        }),
      )
      .describe(`What failed, then what could not run; at most ${limits.conformance.reportedChecks}`),
    totalCases: count,
    totalFailingCases: count,
    truncated: z.boolean(),
    profiles: z.array(
      z.object({
        suiteKind: Suite,
        profileId: z.string(),
        profileVersion: z.string(),
        pendingCheckIds: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "ConformanceReportView" });
export type ConformanceReportView = z.output<typeof ConformanceReportView>;

/** The four ways a check ends, each told apart. */
const CheckState = z.enum(conformanceCheckStates);

export const ConformanceComparison = z
  .object({
    runId: z.string(),
    outcome: Outcome.nullable(),
    score: Score,
    earlier: z
      .object({ runId: z.string(), createdAt: Timestamp, outcome: Outcome.nullable(), score: Score })
      .nullable()
      .describe("Null when no earlier run of the server brought a report of one of the suites"),
    turned: z
      .array(
        z.object({
          suiteKind: Suite,
          id: z.string(),
          title: z.string(),
          from: CheckState.nullable().describe("Null when it was not among the checks"),
          to: CheckState.nullable(),
          turn: z.enum(["worse", "better", "other"]),
        }),
      )
      .describe("Checks that came out otherwise, those that got worse first"),
    same: count.describe("Checks that came out as before"),
  })
  .meta({ id: "ConformanceComparison" });
export type ConformanceComparison = z.output<typeof ConformanceComparison>;

export const ConformanceExport = z
  .object({
    fileName: z.string(),
    mediaType: z.string(),
    content: z.string().describe("The file, as `fettle conformance run` would have printed it"),
  })
  .meta({ id: "ConformanceExport" });
export type ConformanceExport = z.output<typeof ConformanceExport>;

export const ConformanceRunStartRequest = z
  .strictObject({
    suites: suites.optional().describe("Every suite the service can run, unless said"),
    idempotencyKey: z
      .string()
      .min(1)
      .max(limits.idempotency.maxBodyKeyLength)
      .optional()
      .describe("The same key for the same server is the same run"),
    protocolVersion: word.optional().describe("Judge this revision; else the one agreed on"),
    fixtures: ConformanceFixtures.optional().describe("Nothing is executed that is not named here"),
    engineVersion: word.optional().describe("Noted beside the run"),
  })
  .meta({ id: "ConformanceRunStartRequest" });
export type ConformanceRunStartRequest = z.output<typeof ConformanceRunStartRequest>;

export const ConformanceSchedule = z
  .object({
    enabled: z.boolean(),
    intervalMinutes: z.int().nullable(),
    suites: z.array(Suite).nullable().describe("Null: every suite the service can run"),
    state: z
      .enum(scheduleStates)
      .describe("`paused`: a right is missing; `failing`: several runs in a row did not start"),
    lastError: z.string().nullable().describe("Why the last one did not start"),
    nextRunAt: Timestamp.nullable(),
    lastRunId: z.string().nullable(),
  })
  .meta({ id: "ConformanceSchedule" });
export type ConformanceSchedule = z.output<typeof ConformanceSchedule>;

const { scheduleIntervalMinutes } = limits.evals;

export const ConformanceScheduleRequest = z
  .strictObject({
    enabled: z.boolean(),
    intervalMinutes: z.int().min(scheduleIntervalMinutes.min).max(scheduleIntervalMinutes.max).optional(),
    suites: suites.optional().describe("Every suite the service can run, unless said"),
    firstRunAt: Moment.optional().describe("The first run, within a week; one interval from now unless said"),
  })
  .meta({ id: "ConformanceScheduleRequest" });
export type ConformanceScheduleRequest = z.output<typeof ConformanceScheduleRequest>;

export const ConformanceRunStarted = z
  .object({
    runId: z.string(),
    projectId: z.string(),
    serverId: z.string(),
    status: Status,
    deduped: z.boolean(),
    requestedSuites: z.array(Suite),
  })
  .meta({ id: "ConformanceRunStarted" });

const origin = {
  target: ConformanceTarget,
  source: z.enum(conformanceSources),
  requestedSuites: suites,
  protocolVersion: word.optional(),
  engineVersion: word.optional(),
  actorLabel: word.optional().describe("Who ran it, such as a branch or a person"),
  ci: z
    .record(
      plain(limits.conformance.ci.nameLength),
      z.union([plain(limits.conformance.ci.valueLength), z.number(), z.boolean(), z.null()]),
    )
    .optional(),
  externalRunId: word.optional().describe("The same id is the same run"),
};

export const ConformanceIngestStart = z.strictObject(origin).meta({ id: "ConformanceIngestStart" });
export type ConformanceIngestStart = z.output<typeof ConformanceIngestStart>;

const runId = idOf<"conformanceRun">();

export const ConformanceIngestReport = z
  .strictObject({
    runId,
    suiteKind: Suite,
    report: ConformanceSuiteReport,
    durationMs: z.number().min(0).optional(),
  })
  .meta({ id: "ConformanceIngestReport" });
export type ConformanceIngestReport = z.output<typeof ConformanceIngestReport>;

export const ConformanceIngestRun = z.strictObject({ runId }).meta({ id: "ConformanceIngestRun" });

export const ConformanceIngestWhole = z
  .strictObject({
    schemaVersion: z.literal(1),
    ...origin,
    reports: z.partialRecord(Suite, ConformanceSuiteReport),
    outcome: z.unknown().optional().describe("As the reporter saw it; the service judges again"),
    score: z.unknown().optional().describe("As the reporter counted; the service counts again"),
    durationMs: z.number().min(0).optional(),
  })
  .meta({ id: "ConformanceIngestWhole" });
export type ConformanceIngestWhole = z.output<typeof ConformanceIngestWhole>;

const told = { ok: z.literal(true), runId: z.string(), projectId: z.string(), runUrl: z.string() };

export const ConformanceIngestStarted = z
  .object({ ...told, reused: z.boolean() })
  .meta({ id: "ConformanceIngestStarted" });
export type ConformanceIngestStarted = z.output<typeof ConformanceIngestStarted>;

export const ConformanceIngestFinished = z
  .object({ ...told, outcome: Outcome, score: Score })
  .meta({ id: "ConformanceIngestFinished" });
export type ConformanceIngestFinished = z.output<typeof ConformanceIngestFinished>;

export const ConformanceIngestOk = z.object({ ok: z.literal(true) }).meta({ id: "ConformanceIngestOk" });
