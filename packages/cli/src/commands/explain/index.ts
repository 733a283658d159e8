/** @module Declares `explain`: a check in words. */
import { type ArgumentTable, command } from "../../program/command.ts";
import { noFlags } from "../../program/shared-flags.ts";

export const explainArguments = {
  check: { help: "Id of a check, as reports name it", required: true },
} as const satisfies ArgumentTable;

export const explainCommands = [
  command({
    name: "explain",
    section: "local",
    summary: "Tell what a check asks, by which sentence, why, and how to mend it",
    description: [
      "Of every check of `protocol`, `apps`, `tasks` and `oauth conformance`. Nothing is asked of anyone.",
    ],
    arguments: explainArguments,
    flags: noFlags,
    examples: [{ command: "fettle explain error-id-echo", does: "What does this failure mean?" }],
    load: () => import("./explain.ts"),
  }),
];
