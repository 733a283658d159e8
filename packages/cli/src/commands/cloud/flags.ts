/** @module What the commands of `cloud` take. */
import type { ArgumentTable } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { platformFlags } from "../../program/shared-flags.ts";

export const statusFlags = flags({ ...platformFlags });

export const loginFlags = flags({
  "no-browser": { kind: "boolean", help: "Print the address instead of opening a browser" },
});

export const linkFlags = flags({
  here: { kind: "boolean", help: "Link this folder, not the root of the worktree" },
  remove: { kind: "boolean", help: "Remove the nearest link (with --here: this folder's)" },
});

export const linkArguments = {
  project: { help: "Id or name; else FETTLE_PROJECT, else the newest" },
} as const satisfies ArgumentTable;

export const tunnelArguments = {
  target: { help: "An http address, or -- and a command with its arguments", repeats: true },
} as const satisfies ArgumentTable;

export const tunnelFlags = flags({
  server: { kind: "text", value: "name", help: "Name of the saved server; one of that name is pointed here" },
  id: { kind: "text", value: "name", hidden: true, help: "Another spelling of --server" },
  env: {
    kind: "text",
    short: "e",
    value: "KEY=VALUE",
    repeats: true,
    help: "Variable for the command",
  },
  cwd: { kind: "text", value: "folder", help: "Folder to run the command in" },
  ...platformFlags,
});
