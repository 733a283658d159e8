/** @module Declares the commands of the local inspector. */
import { command, group } from "../../program/command.ts";
import { attachFlags, inspectorServeFlags, openFlags } from "./flags.ts";

const about =
  "The inspector is the web app on this machine alone: no account, no database, no request to the outside. Its servers, history and saved calls are files in FETTLE_HOME.";

export const inspectorCommands = [
  group({
    name: "inspector",
    section: "local",
    summary: "See a server work, in your own browser",
    description: [about],
  }),
  command({
    name: "inspector open",
    section: "local",
    summary: "Start the local inspector if need be, and open it in the browser",
    description: [
      about,
      "A server that is named is kept there and opened at its tools; a command that is named here is approved by that. No second browser window is opened while a page is connected.",
    ],
    arguments: {},
    flags: openFlags,
    examples: [
      { command: "fettle inspector open", does: "Look at your servers" },
      {
        command: "fettle inspector open -- npx -y @modelcontextprotocol/server-everything",
        does: "Add a server over stdio, and try its tools",
      },
    ],
    load: () => import("./open.ts"),
  }),
  command({
    name: "inspector start",
    section: "local",
    summary: "Start the local inspector in the background, without a browser",
    arguments: {},
    flags: attachFlags,
    examples: [{ command: "fettle inspector start --format json", does: "Start it from a script" }],
    load: () => import("./start.ts"),
  }),
  command({
    name: "inspector stop",
    section: "local",
    summary: "Stop the local inspector, and the servers it started",
    arguments: {},
    flags: attachFlags,
    examples: [{ command: "fettle inspector stop", does: "End it" }],
    load: () => import("./stop.ts"),
  }),
  command({
    name: "inspector serve",
    section: "local",
    summary: "Run the local inspector in this terminal",
    description: [about, "Stops on Ctrl-C. `fettle inspector start` runs the same in the background."],
    arguments: {},
    flags: inspectorServeFlags,
    examples: [{ command: "fettle inspector serve --port 0", does: "On any free port" }],
    load: () => import("./serve.ts"),
  }),
];
