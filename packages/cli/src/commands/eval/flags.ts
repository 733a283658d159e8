/** @module What the commands of `eval` take. */
import { connectionFlags, hostFlag } from "../../connection/flags.ts";
import { modelConfigFlag } from "../../eval/model-config-flag.ts";
import { flags } from "../../program/flag.ts";
import { mkdirFlag, retryFlags } from "../../program/shared-flags.ts";

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
    help: "Iterations per case (overrides the file)",
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
  ...modelConfigFlag,
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
  "min-pass-rate": { kind: "text", value: "percent", help: "Minimum overall pass rate (%)" },
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
    help: "Maximum concurrent iterations",
  },
  "max-cost-usd": { kind: "text", value: "dollars", help: "Stop before the models cost more" },
  local: { kind: "boolean", help: "On this machine; this command always is" },
  reporter: { kind: "choice", choices: evalReporters, value: "reporter", help: "Print a report instead" },
  out: {
    kind: "text",
    value: "path",
    help: "Write the report to this file and print the verdict; JSON without --reporter",
  },
  ...mkdirFlag,
  "compare-to": {
    kind: "text",
    value: "path",
    help: "Earlier JSON report; the HTML report shows what changed",
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
  ...mkdirFlag,
});

export const compareArguments = {
  baseline: { help: "The report to compare with", required: true },
  report: { help: "The report to judge", required: true },
} as const;
