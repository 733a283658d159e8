/** @module Declares `cloud eval`: suites and a deployment. */
import { command, group } from "../../../program/command.ts";
import { cloudEvalCasesCommands } from "./cases.ts";
import { cloudEvalChecksCommands } from "./checks.ts";
import { evalValidateFlags } from "./flags.ts";
import { cloudEvalGatesCommands } from "./gates.ts";
import { cloudEvalInsightsCommands } from "./insights.ts";
import { cloudEvalRunsCommands } from "./runs.ts";
import { cloudEvalSuitesCommands } from "./suites.ts";

export const cloudEvalCommands = [
  group({ name: "cloud eval", section: "cloud", hosted: true, summary: "Suites of evals and a project" }),
  command({
    name: "cloud eval validate",
    section: "cloud",
    summary: "Check a suite file, and with --project what it calls",
    description: [
      "Without --project the same as `fettle eval validate`: offline, no key. With it, every toolCall step is looked up in the live tools of each target separately. Exits 1 when the file is not valid or something is not found; a credential or network that fails is an error, never a finding.",
    ],
    arguments: {},
    flags: evalValidateFlags,
    examples: [
      { command: "fettle cloud eval validate --file suite.yaml", does: "Offline" },
      { command: "fettle cloud eval validate --file suite.yaml --project Shop", does: "And in the project" },
    ],
    load: () => import("./validate.ts"),
  }),
  ...cloudEvalRunsCommands,
  ...cloudEvalInsightsCommands,
  ...cloudEvalGatesCommands,
  ...cloudEvalChecksCommands,
  ...cloudEvalSuitesCommands,
  ...cloudEvalCasesCommands,
];
