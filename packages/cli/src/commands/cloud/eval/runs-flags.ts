/** @module What the commands of `cloud eval runs` take. */
import { limits } from "@fettle/contract/core";
import { composeFlags, waitFlags } from "../../../eval/hosted-flags.ts";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

const several = { kind: "text", repeats: true, variadic: true } as const;

const times = { kind: "integer", min: 1, max: limits.evals.repetitionsPerCase, value: "n" } as const;

export const evalRunFlags = flags({
  suite: { kind: "text", value: "id-or-name", help: "A suite of the project" },
  file: { kind: "text", value: "path", help: "Or a suite file, which is uploaded first; - for stdin" },
  server: { ...several, value: "id-or-name", help: "Instead of the suite's saved servers" },
  environment: { ...several, value: "id-or-name", help: "An attached environment to run in" },
  host: { ...several, value: "id-or-name", help: "An attached client to run as" },
  "all-targets": { kind: "boolean", help: "All attached environments, or else all attached clients" },
  iterations: { ...times, help: "Iterations per case in this run" },
  repetitions: { ...times, hidden: true, help: "The same as --iterations" },
  case: { ...several, value: "id-or-title", help: "Only these cases" },
  "exclude-skills": { kind: "boolean", help: "Without the environment's skills" },
  "refresh-snapshot": { kind: "boolean", help: "Reload the client's settings" },
  notes: { kind: "text", value: "text", help: "Kept with the run" },
  "min-pass-rate": {
    kind: "number",
    value: "percent",
    min: 0,
    max: limits.evals.percent,
    help: "Minimum overall pass rate (%)",
  },
  "match-options": { kind: "text", value: "json", help: "How expected calls are matched (JSON, @path or -)" },
  "idempotency-key": { kind: "text", value: "key", help: "Launching again under it starts nothing new" },
  "allow-approximated": { ...several, value: "id", help: "With --file: let these approximated cases count" },
  "approval-reason": { kind: "text", value: "text", help: "Why they may" },
  ...composeFlags,
  wait: { kind: "boolean", help: "Until every run has ended; the exit code is their verdict" },
  ...waitFlags,
  ...platformFlags,
});
