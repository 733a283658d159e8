/** @module Declares `eval`: suites on one's own machine, with any model or none. */
import { connectionFlags, hostFlag } from "../../connection/flags.ts";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const cassetteModes = ["record", "replay", "verify"] as const;

export const evalReporters = ["json-summary", "junit-xml", "html", "github"] as const;

const fileFlag = flags({
  file: { kind: "text", value: "path", required: true, help: "The suite file, YAML or JSON; - for stdin" },
});

export const validateFlags = flags({ ...fileFlag });

const bindingFlags = flags({
  server: {
    kind: "text",
    value: "name=target",
    repeats: true,
    help: "What a server of the suite is: a URL, or a command line",
  },
  servers: { kind: "text", value: "path", help: "The same from a host's configuration, such as mcp.json" },
});

const modelFlag = flags({
  model: { kind: "text", value: "provider/model", help: "This model, whatever the file says" },
});

export const runFlags = flags({
  ...fileFlag,
  ...bindingFlags,
  ...connectionFlags,
  ...hostFlag,
  case: { kind: "text", value: "id-or-title", repeats: true, variadic: true, help: "Only these cases" },
  iterations: {
    kind: "integer",
    min: 1,
    max: 100,
    value: "n",
    help: "Repetitions of every case, whatever the file says",
  },
  repetitions: {
    kind: "integer",
    min: 1,
    max: 100,
    value: "n",
    hidden: true,
    help: "The same as --iterations",
  },
  ...modelFlag,
  config: {
    kind: "text",
    value: "path",
    help: "YAML whose models section sets up providers; keys also come from the environment",
  },
  cassette: {
    kind: "choice",
    choices: cassetteModes,
    value: "mode",
    help: "Record the model in .fettle/cassettes, play it back without one, or compare the two",
  },
  "cassette-tools": {
    kind: "boolean",
    help: "Record what the tools answer too, or play that back: then no server is needed, and none is tested",
  },
  "strict-replay": { kind: "boolean", help: "A tool that answers otherwise than when recorded is a miss" },
  "accept-stale": {
    kind: "boolean",
    help: "Play a stale recording all the same; the result proves nothing about the server",
  },
  "min-pass-rate": { kind: "text", value: "percent", help: "Of all repetitions, at least so many must pass" },
  "match-options": { kind: "text", value: "json", help: "How expected calls are matched (JSON, @path or -)" },
  "allow-tool-errors": { kind: "boolean", help: "A tool that fails does not fail its case by itself" },
  "allow-approximated": {
    kind: "text",
    value: "id",
    repeats: true,
    variadic: true,
    help: "Let these approximated cases count",
  },
  "approval-reason": { kind: "text", value: "text", help: "Why they may" },
  concurrency: {
    kind: "integer",
    min: 1,
    max: 50,
    value: "n",
    defaultNote: "4",
    help: "Repetitions at the same time",
  },
  "max-cost-usd": { kind: "text", value: "dollars", help: "Stop before the models cost more" },
  local: { kind: "boolean", help: "On this machine; this command always is" },
  reporter: { kind: "choice", choices: evalReporters, value: "reporter", help: "Print a report instead" },
  out: {
    kind: "text",
    value: "path",
    help: "Write the report to this file and print the verdict; JSON without --reporter",
  },
});

export const cassetteStatusFlags = flags({
  ...fileFlag,
  ...bindingFlags,
  ...connectionFlags,
  ...modelFlag,
});

export const cassettePruneFlags = flags({
  ...fileFlag,
  yes: { kind: "boolean", help: "Delete them; else they are listed only" },
});

export const initFlags = flags({
  ...connectionFlags,
  ...retryFlags,
  name: { kind: "text", value: "name", help: "What the suite calls the server; else the server's own name" },
  model: { kind: "text", value: "provider/model", defaultNote: "fettle/rules-1", help: "The suite's model" },
  out: { kind: "text", value: "path", defaultNote: ".fettle/evals/<name>.yaml", help: "Where to write it" },
  force: { kind: "boolean", help: "Replace a file that is there" },
});

export const compareFlags = flags({
  "min-sample-size": {
    kind: "integer",
    min: 1,
    value: "n",
    defaultNote: "5",
    help: "Fewer on a side show nothing",
  },
  "min-effect-size-percent": {
    kind: "text",
    value: "percent",
    defaultNote: "1",
    help: "A smaller drop is none",
  },
  "gate-deterministic-regressions": { kind: "boolean", help: "Fail when a check that held no longer does" },
  "max-p95-latency-increase-ms": { kind: "integer", min: 0, value: "ms", help: "Fail when p95 grew by more" },
  out: { kind: "text", value: "path", help: "Also write the comparison as JSON to this file" },
});

export const compareArguments = {
  baseline: { help: "The report to compare with", required: true },
  report: { help: "The report to judge", required: true },
} as const;

export const evalCommands = [
  group({ name: "eval", section: "local", summary: "Test an agent with your servers, on this machine" }),
  command({
    name: "eval init",
    section: "local",
    summary: "Draft a first suite from a server's tools",
    description: [
      "One case for each tool, with a prompt and arguments made from its schema, and one that should call none. The same tools give the same file. Correct it: it is a beginning.",
    ],
    arguments: {},
    flags: initFlags,
    examples: [
      { command: "fettle eval init --url $URL", does: "Write .fettle/evals/<name>.yaml" },
      { command: "fettle eval init --command node --args server.js --out suite.yaml", does: "Over stdio" },
    ],
    load: () => import("./init.ts"),
  }),
  command({
    name: "eval validate",
    section: "local",
    summary: "Check a suite file, without any network",
    description: ["Every finding at once, each with its place. Exits 1 when the file is not valid."],
    arguments: {},
    flags: validateFlags,
    examples: [{ command: "fettle eval validate --file suite.yaml", does: "Findings and advice" }],
    load: () => import("./validate.ts"),
  }),
  command({
    name: "eval run",
    section: "local",
    summary: "Run a suite file against servers, and judge it",
    description: [
      "Exits 0 when every case passed, 1 only when a case failed, 2 when the file or the flags are wrong, 3 when nothing could be shown: a server, a model or the time was lost on the way, 5 when a cassette is stale, has no answer or (verify) differs from the model.",
      "Without a key, the model fettle/rules-1 plays the agent by fixed rules: good for wiring and contracts, no stand-in for a language model.",
    ],
    arguments: {},
    flags: runFlags,
    examples: [
      { command: "fettle eval run --file suite.yaml --url $URL", does: "A suite with one server" },
      {
        command: 'fettle eval run --file suite.yaml --server shop="node shop.js" --server mail=$URL',
        does: "A suite with two",
      },
      {
        command: "fettle eval run --file suite.yaml --servers .mcp.json --reporter html --out report.html",
        does: "A report to open",
      },
    ],
    load: () => import("./run.ts"),
  }),
  group({ name: "eval cassette", section: "local", summary: "The recordings of a suite's models" }),
  command({
    name: "eval cassette status",
    section: "local",
    summary: "Say which recordings of a suite still hold",
    description: [
      "Of each enabled case: fresh, stale and why, missing, and how old. Whether the tools are still the same is looked at when the servers are named. Exits 5 when a recording is not fresh.",
    ],
    arguments: {},
    flags: cassetteStatusFlags,
    examples: [
      { command: "fettle eval cassette status --file suite.yaml", does: "Against the file alone" },
      { command: "fettle eval cassette status --file suite.yaml --url $URL", does: "Against the tools too" },
    ],
    load: () => import("./cassette-status.ts"),
  }),
  command({
    name: "eval cassette prune",
    section: "local",
    summary: "Delete recordings of cases that a suite no longer has",
    description: ["Lists them; --yes deletes them. Recordings of other models stay."],
    arguments: {},
    flags: cassettePruneFlags,
    examples: [
      { command: "fettle eval cassette prune --file suite.yaml --yes", does: "Delete what nobody uses" },
    ],
    load: () => import("./cassette-prune.ts"),
  }),
  command({
    name: "eval compare",
    section: "local",
    summary: "Compare two reports, and say whether the second is worse",
    description: [
      "Reads what eval run --reporter json-summary wrote. Exits 1 on a regression, 3 when the two are not the same experiment or too small to tell.",
    ],
    arguments: compareArguments,
    flags: compareFlags,
    examples: [{ command: "fettle eval compare main.json branch.json", does: "Which cases regressed" }],
    load: () => import("./compare.ts"),
  }),
];
