/** @module `cloud conformance runs`: conformance runs that the service keeps. */
import { limits } from "@fettle/contract/core";
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor, limitOf } from "../../cloud/paging-flags.ts";
import { group } from "../../program/command.ts";

export const cloudConformanceCommands = [
  group({ name: "cloud conformance", section: "cloud", summary: "List and delete conformance runs" }),
  operationCommand({
    operation: "listConformanceRuns",
    name: "cloud conformance runs",
    summary: "List conformance runs, newest first",
    flags: {
      server: {
        field: "serverId",
        find: "server",
        value: "id-or-name",
        help: "Only runs of this server",
      },
      limit: limitOf(limits.page.conformance),
      cursor,
    },
    examples: { "Of one server": "fettle cloud conformance runs --server Shop" },
    shows: {
      noun: "run",
      table: {
        ID: "id",
        STATE: ({ outcome, status }) => outcome ?? status,
        SERVER: ({ target }) => target.serverRef ?? target.serverUrl ?? "",
        PASSED: ({ passed, applicable }) => `${passed} of ${applicable}`,
        STARTED: ({ createdAt }) => new Date(createdAt).toISOString(),
      },
      shrinks: ["SERVER"],
    },
  }),
  operationCommand({
    operation: "deleteConformanceRun",
    name: "cloud conformance runs delete",
    summary: "Delete a finished run with its reports",
    description: ["You can delete your own runs; project admins can delete any. Cancel a running one first."],
    flags: { run: { parameter: "runId", value: "id", help: "Run ID" } },
    examples: { "Without asking": "fettle cloud conformance runs delete --run cfr_1 --yes" },
    shows: { done: "Deleted" },
  }),
];
