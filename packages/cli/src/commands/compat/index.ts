/** @module Declares `compat`: which AI hosts a server works on. */
import { clientTemplateIds } from "@fettle/contract/environments";
import { connectionFlags } from "../../connection/flags.ts";
import { command } from "../../program/command.ts";
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

const server = "--url $URL";

export const compatCommands = [
  command({
    name: "compat",
    section: "local",
    operations: ["getHostCompatCatalog"],
    summary: "Tell on which AI hosts a server works",
    description: [
      "Lists the tools, reads the widgets and tries the protocol versions that hosts speak; no tool is called. Verdicts are works, degraded, blocked or unknown, each with findings and where the fact about the host comes from. A tool list of more than 50 pages turns works into unknown. Exits 1 where --fail-on says so, 3 when nothing could be learned of the server, else 0.",
    ],
    arguments: {},
    flags: compatFlags,
    examples: [
      { command: `fettle compat ${server}`, does: "All hosts" },
      { command: `fettle compat ${server} --host claude --host chatgpt`, does: "Two of them" },
      { command: `fettle compat ${server} --fail-on blocked`, does: "For CI" },
    ],
    load: () => import("./compat.ts"),
  }),
];
