/** @module What the commands of `cloud swarms` take. */
import { waitFlags } from "../../../eval/hosted-flags.ts";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

export const journey = {
  parameter: "journeyId",
  find: "journey",
  value: "id-or-name",
  help: "The journey",
} as const;

export const environment = {
  field: "environmentIds",
  find: "environment",
  value: "id-or-name",
  help: "Where it is made",
} as const;

export const journeyRunFlags = flags({
  journey: { kind: "text", value: "id-or-name", help: "The journey" },
  wave: { kind: "text", value: "label", help: "Ties this run to others with the same" },
  environment: { kind: "text", repeats: true, value: "id-or-name", help: "Instead of the journey's own" },
  "idempotency-key": { kind: "text", value: "key", help: "Launching again under it starts nothing new" },
  wait: { kind: "boolean", help: "Until it has ended; the exit code says how" },
  "wait-timeout": waitFlags["wait-timeout"],
  ...platformFlags,
});
