/** @module Declares `prompts`: what a server offers people to start from. */

import { connectionFlags, hostFlag, interactiveFlags } from "../../connection/flags.ts";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";
import { listFlags } from "../resources/index.ts";

export const promptsGetFlags = flags({
  "prompt-name": { kind: "text", value: "name", help: "Which prompt (required)" },
  name: { kind: "text", value: "name", hidden: true, help: "The same as --prompt-name" },
  "prompt-args": { kind: "text", value: "json", help: "Its arguments (JSON, @path or -)" },
  ...connectionFlags,
  ...hostFlag,
  ...interactiveFlags,
  ...retryFlags,
});

export const promptsCommands = [
  group({ name: "prompts", section: "local", summary: "List and fill in a server's prompts" }),
  command({
    name: "prompts list",
    section: "local",
    summary: "List prompts and their arguments",
    arguments: {},
    flags: listFlags,
    examples: [{ command: "fettle prompts list --url $URL", does: "All prompts" }],
    load: () => import("./list.ts"),
  }),
  command({
    name: "prompts get",
    section: "local",
    summary: "Fill in a prompt",
    arguments: {},
    flags: promptsGetFlags,
    examples: [
      {
        command: `fettle prompts get --url $URL --name greet --prompt-args '{"who":"Ada"}'`,
        does: "The messages it becomes",
      },
    ],
    load: () => import("./get.ts"),
  }),
];
