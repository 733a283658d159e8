/** @module `cloud projects servers history` and `verdicts`: what was done with a saved server, and what came of it. */
import { serverHistoryLimits } from "@fettle/contract/servers";
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor, limitOf } from "../../cloud/paging-flags.ts";
import { style } from "../../output/text.ts";

export const server = {
  parameter: "serverId",
  find: "server",
  value: "id-or-name",
  help: "The saved server",
} as const;
const entry = { parameter: "entryId", value: "id", help: "The entry of the history (hst_...)" } as const;
export const suite = {
  field: "suiteId",
  find: "suite",
  value: "id-or-name",
  help: "The suite it becomes a case of",
} as const;

export const ranAgain = {
  load: async () => (await import("../../cloud/history-text.ts")).ranAgainText,
} as const;

const at = (time: number) => new Date(time).toISOString();

const colours = { ok: style.green, partial: style.yellow, failed: style.red, stopped: style.dim };
export const outcomeText = (outcome: keyof typeof colours) => colours[outcome](outcome);

const history = "fettle cloud projects servers history";

export const cloudServerHistoryCommands = [
  operationCommand({
    operation: "listServerHistory",
    name: "cloud projects servers history",
    summary: "List what was done with a server, the latest first",
    description: [
      "Checks, tool calls, prompts and reads made through the service, with who made them and what came of them. How long they are kept is under `cloud projects retention`.",
    ],
    flags: {
      server,
      kind: { field: "kind", help: "Only of this kind" },
      outcome: { field: "outcome", help: "Only what came out so" },
      limit: limitOf(serverHistoryLimits.listed),
      cursor,
    },
    // All of it may be very long.
    body: (_, fields) => ({ limit: serverHistoryLimits.listed.fallback, ...fields }),
    examples: {
      "What went wrong": `${history} --server Shop --outcome failed`,
      "Its health over time": `${history} --server Shop --kind health --format json`,
    },
    shows: {
      noun: "entry",
      table: {
        ID: "id",
        AT: (item) => at(item.at),
        KIND: "kind",
        OUTCOME: ({ outcome }) => outcomeText(outcome),
        WHAT: ({ subject, summary }) => subject ?? summary,
        TOOK: ({ durationMs }) => `${durationMs} ms`,
        BY: ({ by }) => by?.name ?? "-",
      },
      shrinks: ["WHAT", "BY"],
    },
    next: ({ items: [first] }) => first && `${history} get --server ${first.serverId} --entry ${first.id}`,
  }),
  operationCommand({
    operation: "getServerHistoryEntry",
    name: "cloud projects servers history get",
    summary: "Show an entry with its parameters, result and messages",
    flags: { server, entry },
    examples: { Read: `${history} get --server Shop --entry hst_...` },
    shows: { load: async () => (await import("../../cloud/history-text.ts")).entryText },
  }),
  operationCommand({
    operation: "compareServerHistory",
    name: "cloud projects servers history diff",
    summary: "Tell what is different in an entry's result",
    flags: {
      server,
      entry,
      with: { field: "with", value: "id", help: "The earlier entry; else the last of the same call" },
    },
    examples: { "Since the last time": `${history} diff --server Shop --entry hst_...` },
    shows: { load: async () => (await import("../../cloud/history-text.ts")).comparisonText },
  }),
  operationCommand({
    operation: "rerunServerHistoryEntry",
    name: "cloud projects servers history run",
    summary: "Make a call again, and compare the results",
    description: [
      "Parameters in --json or --file stand in place of all those sent before. Credentials are not kept: a call that had some needs them again.",
    ],
    needsNamedProject: true,
    flags: { server, entry },
    document: "parameters",
    examples: {
      "As it was": `${history} run --server Shop --entry hst_...`,
      "With other parameters": `${history} run --server Shop --entry hst_... --json '{"query":"sea"}'`,
    },
    shows: ranAgain,
  }),
  operationCommand({
    operation: "createCaseFromHistory",
    name: "cloud projects servers history eval-case",
    summary: "Turn a tool call into a case of an eval suite",
    needsNamedProject: true,
    flags: { server, entry, suite, title: { field: "title", help: "Of the case" } },
    examples: { Make: `${history} eval-case --server Shop --entry hst_... --suite Orders` },
    shows: "outline",
  }),
  operationCommand({
    operation: "listServerVerdicts",
    name: "cloud projects servers verdicts",
    summary: "Show the latest outcome of each check of each server",
    flags: { server: { field: "serverId", find: "server", value: "id-or-name", help: "Of this one alone" } },
    examples: { "How are they?": "fettle cloud projects servers verdicts" },
    shows: {
      noun: "server",
      table: {
        SERVER: "serverId",
        CHECKS: ({ verdicts }) => verdicts.map(({ kind, outcome }) => `${kind} ${outcome}`).join(", "),
        LAST: ({ verdicts }) => at(Math.max(0, ...verdicts.map((verdict) => verdict.at))),
      },
      shrinks: ["CHECKS"],
    },
  }),
  operationCommand({
    operation: "getHistoryRetention",
    name: "cloud projects retention",
    summary: "Show how long server history and runs are kept",
    examples: { Show: "fettle cloud projects retention --project Bookshop" },
    shows: "outline",
  }),
  operationCommand({
    operation: "updateHistoryRetention",
    name: "cloud projects retention update",
    summary: "Change how long server history and runs are kept",
    description: ["Anything beyond it is deleted within the hour, for good. Needs project admin."],
    needsNamedProject: true,
    flags: {
      days: { field: "days", value: "n", help: "Older entries are removed" },
      "entries-per-server": {
        field: "entriesPerServer",
        value: "n",
        help: "The newest of each server are kept",
      },
      "run-days": { field: "runDays", value: "n", help: "Delete runs older than this many days" },
      "keep-runs": { clears: "runDays", help: "Keep runs until they are deleted by hand (default)" },
    },
    changes: true,
    examples: { "A week": "fettle cloud projects retention update --days 7" },
    shows: "outline",
  }),
];
