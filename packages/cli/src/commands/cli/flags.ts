/** @module What the commands of `cli` take. */
import { shells } from "../../completion/shells.ts";
import type { ArgumentTable } from "../../program/command.ts";

export const completionArguments = {
  shell: { help: "Your shell", required: true, choices: shells },
} as const satisfies ArgumentTable;

export const completeArguments = {
  line: { help: "The line as typed so far, in one word", required: true },
} as const satisfies ArgumentTable;

export const helpArguments = {
  command: { help: "The words of a command", repeats: true },
} as const satisfies ArgumentTable;
