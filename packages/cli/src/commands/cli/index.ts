/** @module Declares the commands about the command line itself. */
import { command, group } from "../../program/command.ts";
import { noFlags } from "../../program/shared-flags.ts";
import { completeArguments, completionArguments, helpArguments } from "./flags.ts";

export const cliCommands = [
  group({
    name: "telemetry",
    section: "cli",
    summary: "See or set anonymous telemetry (off unless enabled)",
  }),
  command({
    name: "telemetry status",
    section: "cli",
    summary: "Show whether telemetry is on, and why",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle telemetry status", does: "See the effective state; writes nothing" }],
    load: () => import("./telemetry-status.ts"),
  }),
  command({
    name: "telemetry enable",
    section: "cli",
    summary: "Turn telemetry on for this user",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle telemetry enable", does: "Opt in; makes a random install id" }],
    load: () => import("./telemetry-enable.ts"),
  }),
  command({
    name: "telemetry disable",
    section: "cli",
    summary: "Turn telemetry off for this user",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle telemetry disable", does: "Opt out again" }],
    load: () => import("./telemetry-disable.ts"),
  }),
  command({
    name: "completion",
    section: "cli",
    summary: "Print a completion script for your shell",
    arguments: completionArguments,
    flags: noFlags,
    examples: [
      { command: 'eval "$(fettle completion bash)"', does: "bash: add this line to ~/.bashrc" },
      { command: 'eval "$(fettle completion zsh)"', does: "zsh: add this line to ~/.zshrc, after compinit" },
      {
        command: "fettle completion fish | source",
        does: "fish: add this line to ~/.config/fish/config.fish",
      },
    ],
    load: () => import("./completion.ts"),
  }),
  command({
    name: "complete",
    section: "cli",
    summary: "Print names that could follow, for completion",
    description: [
      "Names of projects, servers, clients and the like from the deployment you are signed in to, and of tools and prompts from the server whose address is in the line. Asks for a moment, remembers for half a minute, and prints nothing when there is nothing to tell.",
    ],
    arguments: completeArguments,
    flags: noFlags,
    examples: [
      {
        command: 'fettle complete "fettle cloud clients get --client "',
        does: "Clients of the project in effect",
      },
      {
        command: 'fettle complete "fettle tools call http://127.0.0.1:3001/mcp --tool-name "',
        does: "Tools of a server",
      },
    ],
    load: () => import("./complete.ts"),
  }),
  command({
    name: "help",
    section: "cli",
    summary: "Show help for a command",
    arguments: helpArguments,
    flags: noFlags,
    examples: [{ command: "fettle help cloud link", does: "The same as fettle cloud link --help" }],
    load: () => import("./help.ts"),
  }),
];
