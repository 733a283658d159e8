/** @module `cloud eval`: the suites of a project, what they run against, and when they run by themselves. */
import { exitCodes, limits } from "@fettle/contract/core";
import { usageError } from "../../../cli-error.ts";
import { type Fields, operationCommand } from "../../../cloud/operation-command.ts";
import { switched } from "../../../input/on-or-off.ts";
import { count } from "../../../output/table.ts";
import { lines, style, text } from "../../../output/text.ts";
import { command, group } from "../../../program/command.ts";
import { flags } from "../../../program/flag.ts";
import { exportFlags, suite } from "./suites-flags.ts";

const several = { kind: "text", repeats: true, variadic: true } as const;

const updateFlags = flags({
  server: { ...several, value: "id-or-name", help: "Replaces the saved servers" },
  "computer-image": {
    kind: "text",
    value: "id-or-name|off",
    help: "A shared sandbox image to pin; off removes it",
  },
  host: { ...several, value: "id-or-name", help: "Replaces the attached clients" },
  model: { kind: "text", value: "id", help: "For cases that name none" },
  "model-source": {
    kind: "choice",
    value: "source",
    choices: ["target", "suite"],
    help: "Whose model answers: the suite's, or its target's",
  },
  "system-prompt": {
    kind: "text",
    value: "text",
    mayBeBlank: true,
    help: "For every case; blank removes it",
  },
  temperature: { kind: "number", value: "n", ...limits.clients.temperature, help: "For cases that say none" },
  "min-accuracy": {
    kind: "number",
    value: "percent",
    min: 0,
    max: limits.evals.percent,
    help: "Of the repetitions that must pass",
  },
  "min-iterations": {
    kind: "text",
    value: "n|off",
    help: "At least so many repetitions of each case; off removes it",
  },
  "tool-call-order": {
    kind: "choice",
    value: "order",
    choices: ["any", "in-order", "exact"],
    help: "In which expected calls are made",
  },
  arguments: {
    kind: "choice",
    value: "mode",
    choices: ["ignore", "partial", "exact"],
    help: "How they are compared",
  },
  "extra-tool-calls": { kind: "text", value: "unlimited|n", help: "How many others there may be" },
  judge: {
    kind: "choice",
    value: "on|off",
    choices: ["on", "off"],
    help: "Grade every run with a model, which spends",
  },
  "judge-model": { kind: "text", value: "id", help: "The model that grades" },
  "judge-threshold": {
    kind: "number",
    value: "share",
    min: 0,
    max: 1,
    help: "From which score on a case passes",
  },
});

const scheduleFlags = flags({
  enable: { kind: "boolean", help: "Run it at an interval" },
  disable: { kind: "boolean", help: "Stop; interval and environment are kept" },
});

export const cloudEvalSuitesCommands = [
  operationCommand({
    operation: "listEvalSuites",
    name: "cloud eval list",
    summary: "List a project's suites and how their latest runs went",
    examples: { "Suites of one project": "fettle cloud eval list --project Bookshop" },
    shows: {
      noun: "suite",
      namesProject: true,
      table: {
        ID: "id",
        NAME: "name",
        CASES: "caseCount",
        RUNS: ({ totals }) => totals.runs,
        LATEST: ({ latestRun }) => latestRun?.result ?? latestRun?.status ?? style.dim("never run"),
        FROM: "origin",
      },
      shrinks: ["NAME"],
    },
    next: ({ items: [first] }) => first && `fettle cloud eval get --suite ${first.id}`,
  }),
  operationCommand({
    operation: "getEvalSuite",
    name: "cloud eval get",
    summary: "Show all settings of a suite",
    flags: { suite },
    examples: { "By id or name": "fettle cloud eval get --suite Checkout" },
    shows: "outline",
  }),
  command({
    name: "cloud eval export",
    section: "cloud",
    summary: "Write a suite to a file that cloud eval run --file takes",
    description: [
      "The file says all of what the suite tests, or none is written: what no file can say is named field by field, and the command exits 1. Tags and the schedule stay in the service.",
    ],
    arguments: {},
    flags: exportFlags,
    examples: [
      { command: "fettle cloud eval export --suite Checkout", does: "To .fettle/evals, by the suite's id" },
    ],
    load: () => import("./export.ts"),
  }),
  operationCommand({
    operation: "createEvalSuite",
    name: "cloud eval create",
    summary: "Create a suite with its first cases; runs nothing",
    description: [
      "The document holds name, serverIds, model and tests (servers and cases are taken for them too); flags win over it. A suite file, which has a schemaVersion, is run with cloud eval run --file.",
    ],
    flags: {
      name: { field: "name", help: "Its name" },
      model: { field: "model", value: "id", help: "For cases that name none" },
      provider: { field: "provider", value: "id", help: "Who serves the model" },
      server: { field: "serverIds", value: "id-or-name", help: "What it runs against" },
    },
    document: "whole body",
    examples: {
      "From a document":
        "fettle cloud eval create --file suite.json --server Bookshop --model fettle/rules-1",
    },
    body: (_call, { servers, cases, ...fields }) => {
      if (fields.schemaVersion !== undefined) {
        throw usageError("This is a suite file, not the body of a new suite.", {
          hint: "Run it with: fettle cloud eval run --file <path>",
        });
      }
      const whole: Fields = {
        ...(servers !== undefined && { serverIds: servers }),
        ...(cases !== undefined && { tests: cases }),
        ...fields,
      };
      if (whole.tests === undefined) {
        throw usageError("Give the cases as tests, in --file or --json.");
      }
      return whole;
    },
    value: ({ suiteId, name, servers, caseUpsert }, { project }) => ({
      project,
      suite: { id: suiteId, name },
      servers,
      caseUpsert,
    }),
    shows: {
      text: ({ suiteId, name, caseUpsert: { committed, failed } }) =>
        lines([
          text`${style.green("✓")} Created ${style.bold(name)} ${style.dim(`(${suiteId})`)} with ${count(committed.length, "case")}`,
          ...failed.map(
            ({ index, name: title, error }) =>
              text`  ${style.red("✗")} ${title ?? `tests.${index}`}: ${error}`,
          ),
        ]),
    },
    // The suite is made, but a test that its author counts on is not in it.
    exitCode: ({ caseUpsert }) => (caseUpsert.failed.length > 0 ? exitCodes.failed : exitCodes.ok),
    next: ({ suiteId }) => `fettle cloud eval cases list --suite ${suiteId}`,
  }),
  operationCommand({
    operation: "updateEvalSuite",
    name: "cloud eval update",
    summary: "Change a suite's settings",
    description: ["Changes only what is said; flags win over the document, which is the body of the API."],
    flags: {
      suite,
      name: { field: "name", help: "Its name from now on" },
      description: { field: "description", value: "text", help: "What it is for; blank removes it" },
      ...updateFlags,
    },
    document: "whole body",
    findsDeep: { "environment.computerEnvironment": "shared image" },
    changes: true,
    examples: {
      "Ask for more": "fettle cloud eval update --suite Checkout --min-accuracy 95 --min-iterations 3",
      "Other servers": "fettle cloud eval update --suite Checkout --server Bookshop Orders",
    },
    body: async ({ flags: typed }, fields) => {
      const { suiteChange } = await import("../../../cloud/suite-change.ts");
      return suiteChange(typed, fields);
    },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "deleteEvalSuite",
    name: "cloud eval delete",
    summary: "Delete a suite with its cases and runs, for good",
    flags: { suite },
    examples: { "Without asking": "fettle cloud eval delete --suite Checkout --yes" },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "updateEvalSuiteSchedule",
    name: "cloud eval schedule",
    summary: "Run a suite at an interval, or stop doing so",
    description: [
      "One run each time. A suite with several environments needs --environment; with one, that is taken.",
    ],
    flags: {
      suite,
      ...scheduleFlags,
      interval: { field: "intervalMinutes", value: "minutes", help: "How far apart the runs are" },
      environment: {
        field: "environmentId",
        find: "environment",
        value: "id-or-name",
        help: "Where it runs",
      },
    },
    examples: {
      "Every hour": "fettle cloud eval schedule --suite Checkout --enable --interval 60",
      Stop: "fettle cloud eval schedule --suite Checkout --disable",
    },
    body: ({ flags: said }, fields) => {
      const { enabled } = switched(said);
      if (!enabled && fields.environmentId !== undefined) {
        throw usageError("--environment goes with --enable; turning a schedule off keeps the one it has.");
      }
      return { ...fields, enabled };
    },
    shows: {
      text: ({ name, schedule: { enabled, intervalMinutes, environmentId } }) =>
        enabled
          ? text`${style.green("✓")} ${style.bold(name)} runs every ${count(intervalMinutes ?? 0, "minute")}${environmentId ? ` in ${environmentId}` : ""}`
          : text`${style.green("✓")} ${style.bold(name)} runs only when it is started`,
    },
  }),
  group({
    name: "cloud eval environments",
    section: "cloud",
    summary: "The environments that a suite runs in",
  }),
  operationCommand({
    operation: "updateEvalSuite",
    name: "cloud eval environments set",
    summary: "Attach exactly these environments, in this order",
    flags: {
      suite,
      environment: { field: "environmentIds", find: "environment", value: "id-or-name", help: "All of them" },
    },
    examples: { Two: "fettle cloud eval environments set --suite Checkout --environment Nightly Staging" },
    body: (_call, fields) => {
      if (fields.environmentIds === undefined) {
        throw usageError("Name an environment, or detach all with: fettle cloud eval environments clear");
      }
      return fields;
    },
    shows: {
      text: ({ name, environmentIds }) =>
        text`${style.green("✓")} ${style.bold(name)} runs in ${environmentIds.join(", ")}`,
    },
  }),
  operationCommand({
    operation: "updateEvalSuite",
    name: "cloud eval environments clear",
    summary: "Detach all environments: the saved servers are used again",
    flags: { suite },
    examples: { "Detach all": "fettle cloud eval environments clear --suite Checkout" },
    body: () => ({ environmentIds: null }),
    shows: { done: "Detached all environments of" },
  }),
];
