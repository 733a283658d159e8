/** @module Declares `prompts`: what a server offers people to start from. */

import { command, group } from "../../program/command.ts";
import { listFlags } from "../resources/flags.ts";
import { promptsGetFlags } from "./flags.ts";

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
