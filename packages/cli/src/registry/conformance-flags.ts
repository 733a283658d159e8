/** @module Flags that all conformance suites share. */
import { flags } from "./flag.ts";

export const reporterFlag = flags({
  reporter: {
    kind: "choice",
    choices: ["json-summary", "junit-xml"],
    value: "reporter",
    help: "Print a report for CI instead",
  },
});

export const checkIdFlag = flags({
  "check-id": {
    kind: "text",
    value: "id",
    repeats: true,
    help: "Run only this check; wins over --category",
  },
});

export const suiteConfigFlags = flags({
  config: { kind: "text", value: "path", required: true, help: "The suite: a JSON file, or - for stdin" },
  ...reporterFlag,
});
