/** @module Declares `models`: which language models are known, and which of them a provider has. */
import { command, group } from "../../program/command.ts";
import { checkFlags, listFlags } from "./flags.ts";

export const modelsCommands = [
  group({
    name: "models",
    section: "local",
    summary: "Look up language models for evals",
  }),
  command({
    name: "models list",
    section: "local",
    summary: "List known models with their limits and prices",
    description: [
      "Shows the model catalog that comes with this release; nothing is connected. Models that are not listed can be used too: their names are sent as written. Prices are US dollars per million tokens, for short prompts.",
    ],
    arguments: {},
    flags: listFlags,
    examples: [
      { command: "fettle models list", does: "All providers" },
      { command: "fettle models list --provider anthropic", does: "One provider" },
    ],
    load: () => import("./list.ts"),
  }),
  command({
    name: "models check",
    section: "local",
    summary: "Check which known models your providers offer",
    description: [
      "Asks each provider that has a key for its own list of models, and names those of the catalog that are not in it. Costs nothing. Exits 1 when a model is missing, 3 when a provider could not be asked.",
    ],
    arguments: {},
    flags: checkFlags,
    examples: [
      { command: "fettle models check", does: "Every provider with a key" },
      {
        command: "fettle models check --provider openai --config models.yaml",
        does: "One, with keys from a file",
      },
    ],
    load: () => import("./check.ts"),
  }),
];
