/** @module `cloud agent`: the workspace agent, one turn at a time. */
import { limits } from "@fettle/contract/core";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { platformFlags } from "../../program/shared-flags.ts";

export const agentRunFlags = flags({
  message: { kind: "text", value: "text", help: "What to say" },
  file: {
    kind: "text",
    value: "history.json",
    help: "What was said before, as JSON [{role, content}] or {messages}, or - for stdin",
  },
  conversation: {
    kind: "text",
    value: "id",
    maxLength: limits.agent.conversationIdLength,
    help: "Lets it propose what spends or reaches beyond the project; a person decides in the web app",
  },
  "idempotency-key": {
    kind: "text",
    value: "key",
    maxLength: limits.chat.keyLength,
    help: "The same for every try of this message: a finished turn is answered again, and not paid again",
  },
  ...platformFlags,
});

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
