/** @module Declares `cloud`: signing in, and working with what a deployment stores. */
import { command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const statusFlags = flags({ ...platformFlags });

export const cloudCommands = [
  group({
    name: "cloud",
    section: "cloud",
    hosted: true,
    summary: "Sign in, and work with what a deployment stores",
    description: ["Credential flags may stand before or after any subcommand; the one typed last wins."],
  }),
  command({
    name: "cloud status",
    section: "cloud",
    summary: "Show which credential, deployment and project are in effect",
    description: [
      "Reads local files and the environment only; nothing is sent anywhere. Keys are shown redacted.",
    ],
    arguments: {},
    flags: statusFlags,
    examples: [
      { command: "fettle cloud status", does: "What would the next command use?" },
      {
        command: "fettle cloud status --format json",
        does: "The same for a script; exit 1 when something is wrong",
      },
    ],
    load: () => import("../commands/cloud-status.ts"),
  }),
];
