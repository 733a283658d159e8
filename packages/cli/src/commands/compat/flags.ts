/** @module What the commands of `compat` take. */
import { clientTemplateIds } from "@fettle/contract/environments";
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const compatFlags = flags({
  ...connectionFlags,
  host: {
    kind: "text",
    // A deployment's own facts may be about more.
    known: clientTemplateIds,
    value: "id",
    repeats: true,
    help: "Report on this host only",
  },
  "fail-on": {
    kind: "choice",
    choices: ["none", "degraded", "blocked"],
    value: "verdict",
    defaultNote: "none",
    help: "Exit 1 when a host's verdict is this or worse",
  },
  offline: { kind: "boolean", help: "Judge by the bundled facts about hosts, whatever --catalog-url says" },
  "catalog-url": {
    kind: "text",
    value: "url",
    help: "API base of a deployment whose facts about hosts to use",
  },
  ...retryFlags,
});
