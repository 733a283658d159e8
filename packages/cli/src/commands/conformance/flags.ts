/** @module What the commands of `conformance` take. */
import { conformanceSuites } from "@fettle/contract/servers";
import { callReadOnlyFlag, reportFlags, requireFlags, uploadFlags } from "../../conformance/flags.ts";
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";

/** The suites declare what their probes need, so that is not the operator's to choose. */
const { "client-capabilities": _capabilities, ...connection } = connectionFlags;

export const conformanceRunFlags = flags({
  ...connection,
  "client-id": { ...connection["client-id"], help: "OAuth client of --refresh-token and of the oauth suite" },
  suite: {
    kind: "choice",
    choices: conformanceSuites,
    value: "suite",
    repeats: true,
    defaultNote: "all but oauth",
    help: "Run only this suite",
  },
  "oauth-strategy": {
    kind: "choice",
    choices: ["headless", "client_credentials"],
    value: "strategy",
    defaultNote: "headless",
    help: "With --suite oauth: redirects are followed, or a machine asks",
  },
  ...callReadOnlyFlag,
  ...requireFlags.protocol,
  ...requireFlags.apps,
  ...requireFlags.tasks,
  ...requireFlags.oauth,
  ...reportFlags,
  ...uploadFlags,
});
