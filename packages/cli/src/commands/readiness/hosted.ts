/** @module `readiness start`, `list`, `status`, `cancel` and `report`: a saved server, graded by the service. At the root, with the credential flags on each command. */
import { exitCodes, limits } from "@fettle/contract/core";
import {
  hostedSubmissionModes,
  type ReadinessGrade,
  type ReadinessRun,
  type ReadinessStatus,
} from "@fettle/contract/servers";
import { usageError } from "../../cli-error.ts";
import { operationCommand } from "../../cloud/operation-command.ts";
import { style, text } from "../../output/text.ts";
import { group } from "../../program/command.ts";

const server = {
  parameter: "serverId",
  find: "server",
  value: "id-or-name",
  help: "The saved server",
} as const;
const run = { parameter: "runId", value: "id", help: "The run (rdr_...)" } as const;
const startFlags = {
  server,
  "ai-observations": { field: "includeLlmObservations", help: "Let a model look too: spends, never decides" },
  "idempotency-key": { field: "idempotencyKey", value: "key", help: "The same key is the same run" },
} as const;

const about =
  "Returns at once with the run's id; `readiness status` tells how far it is. Grading is free. What a listing will say is in nobody's hands here: `readiness check` reads a profile.";

interface Receipt {
  runId: string;
  deduped: boolean;
}

const started = {
  text: ({ runId, deduped }: Receipt) =>
    text`${style.green("✓")} ${deduped ? "Started before" : "Started"} ${style.bold(runId)}`,
};
const follow = ({ runId }: Pick<Receipt, "runId">) => `fettle readiness status --run ${runId}`;

const grades: Record<ReadinessGrade, ReturnType<typeof style.green>> = {
  ready: style.green("ready"),
  "not-ready": style.red("not ready"),
  incomplete: style.yellow("incomplete"),
};
const gradeText = (grade: ReadinessGrade | null) => (grade === null ? style.dim("-") : grades[grade]);

const exitOf = (grade: ReadinessGrade | null) =>
  grade === "ready" ? exitCodes.ok : grade === "not-ready" ? exitCodes.failed : exitCodes.incomplete;

const over: ReadonlySet<ReadinessStatus> = new Set(["completed", "failed", "cancelled"]);

export const hostedReadinessCommands = [
  group({
    name: "readiness start",
    section: "local",
    hosted: true,
    summary: "Let the service grade a saved server",
  }),
  operationCommand({
    operation: "startDirectoryAReadinessRun",
    name: "readiness start claude",
    atRoot: true,
    aliases: ["directory-a"],
    summary: "Grade a saved server by the rules of the Claude directory",
    description: [about],
    needsNamedProject: true,
    flags: startFlags,
    examples: { Start: "fettle readiness start claude --server Shop" },
    value: (receipt, { project, subject }) => ({ project, server: subject, run: receipt }),
    shows: started,
    next: follow,
  }),
  operationCommand({
    operation: "startDirectoryBReadinessRun",
    name: "readiness start openai",
    atRoot: true,
    aliases: ["directory-b"],
    summary: "Grade a saved server by the rules of the OpenAI directory",
    description: [about],
    needsNamedProject: true,
    flags: {
      ...startFlags,
      "submission-mode": { field: "submissionMode", value: "mode", help: "What is submitted; never guessed" },
    },
    body: (_call, fields) => {
      if (hostedSubmissionModes.some((mode) => mode === fields.submissionMode)) return fields;
      throw usageError(
        `--submission-mode ${fields.submissionMode} takes a package, which the service has not.`,
        {
          hint: "A package is graded where it is: see `fettle readiness check openai --help`.",
        },
      );
    },
    examples: { Start: "fettle readiness start openai --server Shop --submission-mode mcp-only" },
    value: (receipt, { project, subject }) => ({ project, server: subject, run: receipt }),
    shows: started,
    next: follow,
  }),
  operationCommand({
    operation: "listReadinessRuns",
    name: "readiness list",
    atRoot: true,
    summary: "List readiness runs, newest first",
    flags: {
      kind: { field: "readinessKind", value: "publisher", help: "Only for this publisher" },
      server: { field: "serverId", find: "server", value: "id-or-name", help: "Only of this server" },
      limit: { field: "limit", value: "n", help: `So many; ${limits.page.readiness.fallback} unless said` },
    },
    body: (_call, fields) => ({ limit: limits.page.readiness.fallback, ...fields }),
    examples: { "What was graded": "fettle readiness list --kind claude" },
    value: ({ items }, { project }) => ({ project, runs: items }),
    shows: {
      noun: "run",
      table: {
        ID: "id",
        STARTED: ({ createdAt }) => new Date(createdAt).toISOString(),
        FOR: ({ readinessKind }) => readinessKind,
        STATUS: "status",
        GRADE: ({ overallStatus }) => gradeText(overallStatus),
        SERVER: "serverUrl",
      },
      shrinks: ["SERVER"],
      namesProject: true,
    },
  }),
  operationCommand({
    operation: "getReadinessRun",
    name: "readiness status",
    atRoot: true,
    summary: "Tell how far a readiness run is, and how it is graded",
    description: [
      "Three things that never answer each other: whether the run has finished, how the server is graded, and whether a model looked too. Exits 0 whatever the grade, unless --exit-code is given.",
    ],
    flags: {
      run,
      "exit-code": { kind: "boolean", help: "Exit 0 when ready, 1 when not, else 3" },
    },
    examples: { Read: "fettle readiness status --run rdr_..." },
    value: (answer, { project }) => ({ project, run: answer }),
    shows: { load: async () => (await import("../../readiness/run-text.ts")).runText },
    exitCode: ({ overallStatus }, flags) => (flags.exitCode === true ? exitOf(overallStatus) : exitCodes.ok),
    next: ({ id, hasReport, status }: ReadinessRun) =>
      hasReport
        ? `fettle readiness report --run ${id}`
        : over.has(status)
          ? undefined
          : `fettle readiness status --run ${id}`,
  }),
  operationCommand({
    operation: "cancelReadinessRun",
    name: "readiness cancel",
    atRoot: true,
    summary: "Ask a readiness run to stop",
    description: ["Says that the request was taken; how the run ended shows in a later `readiness status`."],
    flags: { run },
    examples: { Stop: "fettle readiness cancel --run rdr_..." },
    value: (answer, { project }) => ({ project, run: answer }),
    shows: { text: ({ runId }) => text`${style.green("✓")} Asked ${style.bold(runId)} to stop` },
    next: follow,
  }),
  operationCommand({
    operation: "deleteReadinessRun",
    name: "readiness delete",
    atRoot: true,
    summary: "Delete a finished run with its report",
    description: ["You can delete your own runs; project admins can delete any. Cancel a running one first."],
    flags: { run },
    examples: { "Without asking": "fettle readiness delete --run rdr_... --yes" },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "getReadinessReport",
    name: "readiness report",
    atRoot: true,
    summary: "Show the findings of a run, most consequential first",
    flags: {
      run,
      limit: { field: "limit", value: "n", help: "So many findings; 50 unless said" },
    },
    examples: { Read: "fettle readiness report --run rdr_..." },
    value: (answer, { project }) => ({ project, ...answer }),
    shows: { load: async () => (await import("../../readiness/run-text.ts")).reportText },
  }),
];
