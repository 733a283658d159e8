/** @module What the commands of `cloud eval checks` take. */
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

export const checksListFlags = flags({ ...platformFlags });

export const checksConnectFlags = flags({
  suite: { kind: "text", value: "id-or-name", required: true, help: "The suite to run" },
  repo: { kind: "text", value: "owner/name", required: true, help: "The repository" },
  "outage-policy": {
    kind: "choice",
    value: "policy",
    choices: ["fail_open", "fail_closed"],
    required: true,
    help: "What the check says when the run could not be made; has no default and stays as it is",
  },
  ...platformFlags,
});
