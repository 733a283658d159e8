/** @module What the commands of `cloud eval cases` take. */
import { limits } from "@fettle/contract/core";
import { composeFlags } from "../../../eval/hosted-flags.ts";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

export const casesRunFlags = flags({
  suite: { kind: "text", value: "id-or-name", required: true, help: "The suite" },
  case: { kind: "text", value: "id-or-title", required: true, help: "The case" },
  server: {
    kind: "text",
    repeats: true,
    variadic: true,
    value: "id-or-name",
    help: "Instead of the suite's saved servers",
  },
  environment: { kind: "text", value: "id-or-name", help: "An attached environment to run in" },
  host: { kind: "text", value: "id-or-name", help: "An attached client to run as" },
  iterations: {
    kind: "integer",
    min: 1,
    max: limits.evals.repetitionsPerCase,
    value: "n",
    help: "Iterations in this run",
  },
  "idempotency-key": { kind: "text", value: "key", help: "Launching again under it starts nothing new" },
  ...composeFlags,
  ...platformFlags,
});
