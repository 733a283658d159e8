/** @module Flags that all conformance suites share. */
import { flags } from "../program/flag.ts";
import { platformFlags } from "../program/shared-flags.ts";

export const reportFlags = flags({
  reporter: {
    kind: "choice",
    choices: ["json-summary", "junit-xml"],
    value: "reporter",
    help: "Print a report for CI instead",
  },
  verbose: { kind: "boolean", help: "For eyes: list the checks that do not apply, too" },
});

/** Where nothing applied nothing was proven: for those who gate on it. */
export const requireFlags = {
  protocol: flags({ "require-checks": { kind: "boolean", help: "Exit 1 when none of the checks applies" } }),
  apps: flags({ "require-ui": { kind: "boolean", help: "Exit 1 when the server has no widgets" } }),
  tasks: flags({
    "require-tasks": {
      kind: "boolean",
      help: "Exit 1 when the server has no tasks, or no tool to try them by",
    },
  }),
  oauth: flags({ "require-auth": { kind: "boolean", help: "Exit 1 when the server asks for no token" } }),
};

/** Of commands whose results a project may keep; they are hosted. */
export const uploadFlags = flags({
  upload: { kind: "boolean", help: "Keep the run in the project's history; a failed upload is only told" },
  "require-upload": { kind: "boolean", help: "The same, and fail when it cannot be kept" },
  ...platformFlags,
});

export function categoryFlag<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return flags({
    category: {
      kind: "choice",
      choices,
      value: "category",
      repeats: true,
      help: "Run only checks of this category",
    },
  });
}

export const checkIdFlag = flags({
  "check-id": {
    kind: "text",
    value: "id",
    repeats: true,
    help: "Run only this check; wins over --category",
  },
});

/** Of suites that call tools. */
export const callReadOnlyFlag = flags({
  "call-read-only": {
    kind: "boolean",
    help: "Also call tools that say they are read-only, with arguments made from their schemas",
  },
});

export const suiteConfigFlags = flags({
  config: { kind: "text", value: "path", required: true, help: "The suite: a JSON file, or - for stdin" },
  ...reportFlags,
});
