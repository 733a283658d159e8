/** @module Declares `fettle dev`. */
import { command } from "../../program/command.ts";
import { devFlags } from "./flags.ts";

export const devCommands = [
  command({
    name: "dev",
    section: "local",
    summary: "Work on a server: after each change, what it changed for those who use it",
    description: [
      "Starts the server anew after each change of a file, and says what came, went or changed among its tools, prompts and resources, and which checks changed their verdict. A server that does not start shows why, and the next change is waited for.",
      "The inspector is opened on it. A server at an address, which others restart, is looked at every two seconds instead. One line for each report with --format json. Stops on Ctrl-C, with all it started.",
    ],
    arguments: {},
    flags: devFlags,
    examples: [
      { command: "fettle dev -- node server.js", does: "Watch this folder and try its server" },
      { command: "fettle dev --watch src -- npm start", does: "Only what is in src counts" },
      { command: "fettle dev --url http://127.0.0.1:3001/mcp", does: "A server that restarts by itself" },
    ],
    load: () => import("./dev.ts"),
  }),
];
