/** @module What the commands of `cloud swarms calibration` take. */
import { waitFlags } from "../../../eval/hosted-flags.ts";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

export const calibrateFlags = flags({
  scenario: {
    kind: "text",
    value: "id",
    help: "Sessions of its visitors; else the set that comes with the service",
  },
  environment: { kind: "text", value: "id-or-name", help: "Where they are played again" },
  wait: { kind: "boolean", help: "Until it has ended, and show the report" },
  "wait-timeout": waitFlags["wait-timeout"],
  ...platformFlags,
});
