/** @module Flags that commands about hosted runs share. Light: help reads them. */
import { limits } from "@fettle/contract/core";
import { flags } from "../program/flag.ts";
import { mkdirFlag } from "../program/shared-flags.ts";

const several = { kind: "text", repeats: true, variadic: true } as const;

export const composeFlags = flags({
  "compose-host": {
    kind: "text",
    value: "id-or-name",
    help: "Run once in an unnamed environment made from this client",
  },
  "compose-computer": { kind: "text", value: "id-or-name", help: "With this sandbox image" },
  "compose-model": { kind: "text", value: "id", help: "With this model" },
  "compose-server-group": { kind: "text", value: "id-or-name", help: "With these servers" },
  "compose-skill": { ...several, value: "id-or-name", help: "With these skills" },
  "save-targets": { kind: "boolean", help: "Attach the composed environment to the suite for later runs" },
});

export const hostedReporters = ["json-summary", "junit-xml", "html"] as const;
export type HostedReporter = (typeof hostedReporters)[number];

/** What is left of a command about runs. */
export const reportFlags = flags({
  reporter: { kind: "choice", choices: hostedReporters, value: "reporter", help: "Print a report instead" },
  out: { kind: "text", value: "path", help: "Write the report to this file; JSON without --reporter" },
  ...mkdirFlag,
});

/** Waiting, and what is left of it. */
export const waitFlags = flags({
  "wait-timeout": {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    defaultNote: "600000",
    help: "Longest time to wait",
  },
  ...reportFlags,
});
