/** @module Flags that all conformance suites share. */
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const reporterFlag = flags({
  reporter: {
    kind: "choice",
    choices: ["json-summary", "junit-xml"],
    value: "reporter",
    help: "Print a report for CI instead",
  },
});

/** Of commands whose results a project may keep; they are hosted. */
export const uploadFlags = flags({
  upload: { kind: "boolean", help: "Keep the run in the project's history; a failed upload is only told" },
  "require-upload": { kind: "boolean", help: "The same, and fail when it cannot be kept" },
  ...platformFlags,
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
