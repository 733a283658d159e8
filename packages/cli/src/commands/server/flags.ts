/** @module What the commands of `server` take. */
import { callReadOnlyFlag } from "../../conformance/flags.ts";
import { connectionFlags, debugOutFlag } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const serverFlags = flags({ ...connectionFlags, ...retryFlags });

export const probeFlags = flags({ ...connectionFlags, ...retryFlags, ...debugOutFlag });

export const doctorFlags = flags({
  ...connectionFlags,
  ...retryFlags,
  ...callReadOnlyFlag,
  out: { kind: "text", value: "path", help: "Also write the report as JSON to this file" },
});

export const exportFlags = flags({
  ...connectionFlags,
  ...retryFlags,
  stable: { kind: "boolean", help: "Sorted and without times, to compare later" },
});

export const defaultLockFile = "fettle-surface.json";

const lockFlag = flags({
  lock: { kind: "text", value: "path", defaultNote: defaultLockFile, help: "The lock file" },
});

export const surfaceLockFlags = flags({
  ...connectionFlags,
  ...lockFlag,
  skip: {
    kind: "choice",
    choices: ["tools", "prompts", "resources", "resourceTemplates"],
    value: "section",
    repeats: true,
    help: "Leave this out; for what comes and goes",
  },
  ...retryFlags,
});

export const surfaceCheckFlags = flags({
  ...connectionFlags,
  ...lockFlag,
  "fail-on": {
    kind: "choice",
    choices: ["breaking", "compatible", "text-only", "any", "none"],
    value: "class",
    defaultNote: "breaking",
    help: "Exit 1 on changes of this class or worse",
  },
  reporter: {
    kind: "choice",
    choices: ["json-summary", "junit-xml"],
    value: "reporter",
    help: "Print a report instead",
  },
  ...retryFlags,
});

export const diffFlags = flags({
  ...connectionFlags,
  baseline: { kind: "text", value: "path", help: "Compare the server with this lock or export" },
  left: { kind: "text", value: "path", help: "Compare this lock or export; needs --right, and no server" },
  right: { kind: "text", value: "path", help: "With this one" },
  "fail-on": {
    kind: "choice",
    choices: ["breaking", "any", "none"],
    value: "class",
    defaultNote: "breaking",
    help: "Exit 1 on these changes",
  },
  reporter: {
    kind: "choice",
    choices: ["json-summary", "junit-xml"],
    value: "reporter",
    help: "Print a report instead",
  },
  out: { kind: "text", value: "path", help: "Also write the comparison as JSON to this file" },
  ...retryFlags,
});
