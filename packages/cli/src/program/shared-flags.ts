/** @module Flags that many commands share: of every command, of every command that talks to a deployment, of one project. */
import { limits } from "@fettle/contract/core";
import { formats } from "../output/format.ts";
import { flags } from "./flag.ts";

export const noFlags = flags({});

/** Accepted before or after any subcommand. */
export const globalFlags = flags({
  format: {
    kind: "choice",
    choices: formats,
    value: "format",
    defaultNote: "human on a terminal, else json",
    help: "How to print the result",
    mistakes: {
      "junit-xml": "It is a report: use --reporter junit-xml on a command that has reports.",
      "json-summary": "It is a report: use --reporter json-summary on a command that has reports.",
    },
  },
  timeout: {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    defaultNote: String(limits.request.ms.fallback),
    help: "Longest time a command may take",
  },
  quiet: { kind: "boolean", help: "No progress, notes or warnings on stderr" },
  rpc: { kind: "boolean", help: "Add the MCP messages to JSON output, as _rpcLogs" },
  "no-telemetry": { kind: "boolean", help: "Leave this run out of telemetry (off unless enabled)" },
  help: { kind: "boolean", short: "h", help: "Show help for a command" },
  version: { kind: "boolean", short: "v", help: "Print the version" },
});

/** Beside `--out` of a report. */
export const mkdirFlag = flags({
  mkdir: { kind: "boolean", help: "Create the folder of --out if it is missing" },
});

/** Declared on `cloud`, accepted before and after its subcommands; the one typed nearest to the end wins. */
export const credentialFlags = flags({
  "api-key": {
    kind: "text",
    value: "key",
    mayBeBlank: true,
    help: "API key (sk_...); else FETTLE_API_KEY, else your login",
  },
  "api-url": {
    kind: "text",
    value: "url",
    mayBeBlank: true,
    help: "API base; else FETTLE_API_URL, else your login's",
  },
  "api-header": {
    kind: "text",
    value: "name: value",
    repeats: true,
    help: "Extra request header, for a deployment behind a proxy",
  },
});

/** Of commands that act on one project. */
export const platformFlags = flags({
  project: { kind: "text", value: "id-or-name", help: "Project; else FETTLE_PROJECT, the link, the newest" },
});

/** Writing into a project one did not name is how servers end up in the wrong one. */
export const namedProjectFlags = flags({
  project: { kind: "text", value: "id-or-name", help: "Project; else FETTLE_PROJECT or the link" },
});

/** Of commands that take a JSON object whole. */
export const documentFlags = flags({
  file: { kind: "text", value: "path", help: "A JSON object in a file, or - for stdin" },
  json: { kind: "text", value: "json", help: "The same in place: JSON, @path, or -" },
});

/** Of commands that reach a server. */
export const retryFlags = flags({
  retries: {
    kind: "integer",
    min: 0,
    max: 100,
    value: "count",
    defaultNote: "0",
    help: "Try again after a passing fault; --timeout is for each try",
  },
  "retry-delay-ms": {
    kind: "integer",
    min: 0,
    max: limits.waitMs,
    value: "ms",
    defaultNote: "3000",
    help: "Wait between tries; needs --retries",
  },
});
