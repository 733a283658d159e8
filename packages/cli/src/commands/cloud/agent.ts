/** @module `cloud agent`: the workspace agent, one turn at a time. */
import { command, group } from "../../program/command.ts";
import { agentRunFlags } from "./agent-flags.ts";

export const cloudAgentCommands = [
  group({
    name: "cloud agent",
    section: "cloud",
    summary: "The workspace agent, one turn at a time",
  }),
  command({
    name: "cloud agent run",
    section: "cloud",
    operations: ["runAgentTurn"],
    summary: "Run one turn of the workspace agent",
    description: [
      "Spends model credits; where no model is set up, it knows a few fixed commands and costs nothing. The service keeps no history: give what was said before with --file, whose last message must be the user's unless --message follows it.",
      "Reading and free changes happen at once. What spends or reaches beyond the project is only proposed, and only with --conversation. It deletes nothing.",
    ],
    arguments: {},
    flags: agentRunFlags,
    examples: [
      { command: 'fettle cloud agent run --message "list suites"', does: "One question" },
      {
        command: 'fettle cloud agent run --message "run suite Checkout" --conversation desk',
        does: "Let it propose a run",
      },
      { command: "fettle cloud agent run --file history.json", does: "Go on with a conversation" },
    ],
    load: () => import("./agent-run.ts"),
  }),
];
