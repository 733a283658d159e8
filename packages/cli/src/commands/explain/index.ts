/** @module Declares `explain`: a check in words. */
import { command } from "../../program/command.ts";
import { explainArguments, explainFlags } from "./flags.ts";

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
