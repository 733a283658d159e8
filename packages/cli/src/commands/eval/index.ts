/** @module Declares `eval`: suites on one's own machine, with any model or none. */
import { command, group } from "../../program/command.ts";
import {
  cassettePruneFlags,
  cassetteStatusFlags,
  compareArguments,
  compareFlags,
  initFlags,
  runFlags,
  validateFlags,
} from "./flags.ts";

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
