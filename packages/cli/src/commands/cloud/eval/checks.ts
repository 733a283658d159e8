/** @module Declares `cloud eval checks`: repositories whose pull requests run a suite. */
import { command, group } from "../../../program/command.ts";
import { checksConnectFlags, checksListFlags } from "./checks-flags.ts";

export const cloudEvalChecksCommands = [
  group({ name: "cloud eval checks", section: "cloud", summary: "Pull requests that run a suite" }),
  command({
    name: "cloud eval checks list",
    section: "cloud",
    operations: ["listEvalCheckRepos"],
    summary: "List repositories whose pull requests run a suite, and those that could",
    arguments: {},
    flags: checksListFlags,
    examples: [{ command: "fettle cloud eval checks list", does: "Of the selected project's organization" }],
    load: () => import("./checks-list.ts"),
  }),
  command({
    name: "cloud eval checks connect",
    section: "cloud",
    operations: ["connectEvalCheckRepo"],
    summary: "Run a suite on every pull request to a repository",
    description: ["Changing, pausing and disconnecting are done in the web app."],
    arguments: {},
    flags: checksConnectFlags,
    examples: [
      {
        command:
          "fettle cloud eval checks connect --suite Checkout --repo acme/shop --outage-policy fail_open",
        does: "An outage lets pull requests pass",
      },
    ],
    load: () => import("./checks-connect.ts"),
  }),
];
