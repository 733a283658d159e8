/** @module Declares `init`: what a repository needs to test its server by itself. */

import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const ciFlags = flags({
  url: { kind: "text", value: "url", help: "Server over HTTP, as the workflow reaches it" },
  command: { kind: "text", value: "command", help: "Server to start, spoken to over stdio" },
  args: {
    kind: "text",
    value: "arg",
    repeats: true,
    variadic: true,
    mayBeBlank: true,
    help: "Its arguments; --args=-x for one with a dash",
  },
  "access-token": {
    kind: "text",
    value: "token",
    help: "Bearer token; the workflow takes it from the secret MCP_ACCESS_TOKEN",
  },
  name: { kind: "text", value: "name", help: "What the suite calls the server; else the server's own name" },
  out: {
    kind: "text",
    value: "path",
    defaultNote: ".github/workflows/fettle.yml",
    help: "Where the workflow is written",
  },
  force: { kind: "boolean", help: "Replace a workflow that is there" },
  ...retryFlags,
});

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
