/** @module Declares `compat`: which AI hosts a server works on. */
import { command } from "../../program/command.ts";
import { compatFlags } from "./flags.ts";

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
