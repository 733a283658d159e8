/** @module What the commands of `prompts` take. */
import { connectionFlags, hostFlag, interactiveFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const promptsGetFlags = flags({
  "prompt-name": { kind: "text", value: "name", help: "Which prompt (required)" },
  name: { kind: "text", value: "name", hidden: true, help: "The same as --prompt-name" },
  "prompt-args": { kind: "text", value: "json", help: "Its arguments (JSON, @path or -)" },
  ...connectionFlags,
  ...hostFlag,
  ...interactiveFlags,
  ...retryFlags,
});
