/** @module Declares `explain`: a check in words. */
import { type ArgumentTable, command } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

export const explainArguments = {
  check: { help: "Id of a check, as reports name it; without it, all are listed" },
} as const satisfies ArgumentTable;

export const explainFlags = flags({
  suite: {
    kind: "choice",
    choices: ["protocol", "apps", "tasks", "oauth"],
    value: "suite",
    help: "List only the checks of this suite",
  },
});

export const explainCommands = [
  command({
    name: "explain",
    section: "local",
    summary: "Tell what a check asks, by which sentence, why, and how to mend it",
    description: [
      "Of every check of `protocol`, `apps`, `tasks` and `oauth conformance`. Nothing is asked of anyone.",
    ],
    arguments: explainArguments,
    flags: explainFlags,
    examples: [
      { command: "fettle explain error-id-echo", does: "What does this failure mean?" },
      { command: "fettle explain --suite tasks", does: "Which checks are there?" },
    ],
    load: () => import("./explain.ts"),
  }),
];
