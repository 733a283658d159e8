/** @module `cloud eval cases`: the cases of a suite. */
import { limits } from "@fettle/contract/core";
import type { EvalCase } from "@fettle/contract/evals";
import { operationCommand } from "../../../cloud/operation-command.ts";
import { count } from "../../../output/table.ts";
import { lines, style, text } from "../../../output/text.ts";
import { command, group } from "../../../program/command.ts";
import { flags } from "../../../program/flag.ts";
import { casesRunFlags } from "./cases-flags.ts";
import { suite } from "./suites-flags.ts";

const oneCase = {
  parameter: "caseId",
  value: "id",
  help: "The case, by its id or the one in its file",
} as const;

const title = { field: "title", value: "text", help: "What it shows" } as const;

const wanted = (what: string) =>
  ({
    kind: "integer",
    value: "n",
    min: 0,
    max: limits.evals.generatedPerKind,
    help: `How many ${what}`,
  }) as const;

const mixFlags = flags({
  simple: wanted("that use one tool"),
  "multi-tool": wanted("in which one tool needs what another gives"),
  "multi-turn": wanted("of two messages"),
  complex: wanted("that only a model can make"),
  negative: wanted("that must call no tool"),
  "case-model": {
    kind: "text",
    value: "id",
    repeats: true,
    variadic: true,
    help: "Models they are run with",
  },
});

const doneText =
  (done: string) =>
  ({ id, title: its }: EvalCase) =>
    text`${style.green("✓")} ${done} ${style.bold(its)} ${style.dim(`(${id})`)}`;

export const cloudEvalCasesCommands = [
  group({ name: "cloud eval cases", section: "cloud", summary: "The cases of a suite" }),
  operationCommand({
    operation: "listEvalCases",
    name: "cloud eval cases list",
    summary: "List a suite's cases, in their order",
    flags: { suite },
    examples: { "All of them": "fettle cloud eval cases list --suite Checkout" },
    shows: {
      noun: "case",
      table: {
        ID: "id",
        DECLARED: "declaredId",
        TITLE: "title",
        STEPS: ({ steps }) => steps.length,
        TIMES: "iterations",
        STATE: ({ disabled, isNegative, expectToolError }) =>
          disabled
            ? style.dim("disabled")
            : isNegative
              ? "negative"
              : expectToolError === undefined
                ? "enabled"
                : "expects an error",
      },
      shrinks: ["TITLE", "DECLARED"],
    },
  }),
  operationCommand({
    operation: "getEvalCase",
    name: "cloud eval cases get",
    summary: "Show a case with its steps",
    flags: { suite, case: oneCase },
    examples: { "By its id": "fettle cloud eval cases get --suite Checkout --case buys-a-book" },
    shows: "outline",
  }),
  command({
    name: "cloud eval cases run",
    section: "cloud",
    operations: ["createEvalRun"],
    summary: "Run one case as a run of its own",
    description: ["Against one target, chosen as in cloud eval run; several runs are that command's."],
    arguments: {},
    flags: casesRunFlags,
    examples: [
      {
        command: "fettle cloud eval cases run --suite Checkout --case buys-a-book",
        does: "Launch, and say where to look",
      },
    ],
    load: () => import("./cases-run.ts"),
  }),
  operationCommand({
    operation: "createEvalCase",
    name: "cloud eval cases create",
    summary: "Add a case to a suite",
    description: ["The document holds the title and the steps, as the API takes them; flags win over it."],
    flags: { suite, title },
    document: "whole body",
    examples: { "From a document": "fettle cloud eval cases create --suite Checkout --file case.json" },
    shows: { text: doneText("Added") },
  }),
  operationCommand({
    operation: "updateEvalCase",
    name: "cloud eval cases update",
    summary: "Change a case",
    description: ["Changes only what is said; steps are replaced as a whole, and null clears a field."],
    flags: { suite, case: oneCase, title },
    document: "whole body",
    changes: true,
    examples: {
      "Another title":
        'fettle cloud eval cases update --suite Checkout --case buys-a-book --title "Buys two"',
    },
    shows: { text: doneText("Updated") },
  }),
  operationCommand({
    operation: "deleteEvalCase",
    name: "cloud eval cases delete",
    summary: "Delete a case; past runs keep their copy",
    flags: { suite, case: oneCase },
    examples: {
      "Without asking": "fettle cloud eval cases delete --suite Checkout --case buys-a-book --yes",
    },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "generateEvalCases",
    name: "cloud eval cases generate",
    summary: "Draft cases from the tools of a suite's servers",
    description: [
      "Cases that call a tool which is not declared read-only are saved disabled, with the reason. The same --idempotency-key gives the same cases again.",
    ],
    flags: {
      suite,
      mode: { field: "mode", help: "Only cases that must call no tool, or the usual mix" },
      server: { field: "servers", value: "id-or-name", help: "Instead of the suite's own" },
      environment: {
        field: "environmentId",
        find: "environment",
        value: "id-or-name",
        help: "Whose servers are meant",
      },
      ...mixFlags,
      "vary-user-styles": { field: "varyUserStyles", help: "Say the same in several ways" },
      "idempotency-key": {
        field: "idempotencyKey",
        value: "key",
        help: "Asking again under it makes nothing new",
      },
    },
    examples: {
      "Three and one": "fettle cloud eval cases generate --suite Checkout --simple 3 --negative 1",
    },
    body: ({ flags: { simple, multiTool, multiTurn, complex, negative, caseModel } }, fields) => {
      const caseMix = Object.fromEntries(
        Object.entries({ simple, multiTool, multiTurn, complex, negative }).filter(
          ([, n]) => n !== undefined,
        ),
      );
      return {
        ...fields,
        ...(Object.keys(caseMix).length > 0 && { caseMix }),
        ...(caseModel.length > 0 && { caseModels: caseModel.map((model) => ({ model })) }),
      };
    },
    shows: {
      text: ({ created, skipped = [], generationModel }) =>
        lines([
          ...created.map(
            ({ title: its, disabled }) =>
              text`${style.green("✓")} ${its}${disabled ? style.dim(" (disabled)") : ""}`,
          ),
          ...skipped.map(({ title: its, reason }) => text`${style.yellow("–")} ${its}: ${reason}`),
          text`\n${count(created.length, "case")} by ${generationModel}`,
        ]),
    },
  }),
];
