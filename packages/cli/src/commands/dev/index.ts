/** @module Declares `fettle dev`. */
import { connectionFlags } from "../../connection/flags.ts";
import { command } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

export const devFlags = flags({
  ...connectionFlags,
  watch: {
    kind: "text",
    value: "path",
    repeats: true,
    defaultNote: "the folder the command is started in",
    help: "File or folder whose changes count",
  },
  "server-name": {
    kind: "text",
    value: "name",
    defaultNote: "taken from its address or command",
    help: "What the server is called in the inspector",
  },
  "no-inspector": { kind: "boolean", help: "Only report; start and open no inspector" },
  "no-open": { kind: "boolean", help: "Print the inspector's address instead of opening a browser" },
});

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
