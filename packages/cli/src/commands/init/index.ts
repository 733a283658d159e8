/** @module Declares `init`: what a repository needs to test its server by itself. */

import { command, group } from "../../program/command.ts";
import { ciFlags } from "./flags.ts";

export const initCommands = [
  group({ name: "init", section: "local", summary: "Set up what a repository needs to test its server" }),
  command({
    name: "init ci",
    section: "local",
    summary: "Write a workflow that tests a server on every push",
    description: [
      "Locks the server's surface and drafts a suite if there is none, then writes a workflow that checks the server against both and against the protocol. A breaking change, a protocol violation or a failed case fails the workflow. Review the files and commit them.",
      "The workflow never downloads Fettle by name. It installs the version your package.json and lockfile pin; without one, it installs a packed copy from .fettle, and the command says how to make it.",
    ],
    arguments: {},
    flags: ciFlags,
    examples: [
      { command: "fettle init ci --command node --args server.js", does: "For a server over stdio" },
      { command: "fettle init ci --url $URL", does: "For one that runs elsewhere" },
    ],
    load: () => import("./ci.ts"),
  }),
];
