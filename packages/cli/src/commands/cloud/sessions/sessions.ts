/** @module `cloud sessions`: conversations of a model with a project's servers. */
import { usageError } from "../../../cli-error.ts";
import { operationCommand } from "../../../cloud/operation-command.ts";
import { command, group } from "../../../program/command.ts";
import { promoteFlags, sendFlags, session, sessionListFlags } from "./sessions-flags.ts";

const project = { field: "projectId", value: "id", help: "Only if it is in this project" } as const;

export const cloudSessionsCommands = [
  group({
    name: "cloud sessions",
    section: "cloud",
    hosted: true,
    summary: "Conversations of a model with a project's servers",
  }),
  command({
    name: "cloud sessions list",
    section: "cloud",
    operations: ["listChatSessions"],
    summary: "List your conversations, the latest first",
    arguments: {},
    flags: sessionListFlags,
    examples: [
      { command: "fettle cloud sessions list", does: "In the selected project" },
      { command: "fettle cloud sessions list --all-projects --limit 10", does: "The last ten anywhere" },
    ],
    load: () => import("./list.ts"),
  }),
  operationCommand({
    operation: "listSessions",
    name: "cloud sessions search",
    summary: "Search conversations of every kind in a project",
    flags: {
      query: { kind: "text", value: "words", required: true, mayBeBlank: true, help: "What to look for" },
      scope: { field: "scope", help: "In titles (usual), or in everything said" },
      source: {
        field: "sourceType",
        value: "kinds",
        help: "Only these kinds: direct, scenario, eval, swarm; comma-separated",
      },
      status: { field: "status", help: "Only those" },
      limit: { field: "limit", value: "n", help: "At most so many" },
      cursor: { field: "cursor", help: "Go on where the page before ended" },
    },
    body: ({ flags: { query } }, fields) => ({ ...fields, q: query }),
    examples: {
      "In titles": "fettle cloud sessions search --query refund",
      "In everything said": "fettle cloud sessions search --query refund --scope transcripts",
    },
    shows: {
      noun: "conversation",
      namesProject: true,
      table: {
        ID: "id",
        KIND: "sourceType",
        TITLE: ({ title }) => title ?? "-",
        FOUND: ({ matchPreview }) => matchPreview ?? "",
        LAST: ({ lastActivityAt }) => new Date(lastActivityAt).toISOString(),
      },
      shrinks: ["FOUND", "TITLE"],
    },
    warns: ({ searchedEvals, searchedSwarms }) =>
      [
        ...(searchedEvals === undefined
          ? []
          : [`Of evals only the latest ${searchedEvals} conversations were searched.`]),
        ...(searchedSwarms === undefined
          ? []
          : [`Of journey runs only the latest ${searchedSwarms} sessions were searched.`]),
      ].join(" ") || undefined,
  }),
  command({
    name: "cloud sessions send",
    section: "cloud",
    operations: ["sendChatMessage"],
    summary: "Send one message, and print the answer, the calls and the tokens",
    description: [
      "Spends model credits on each call, except with fettle/rules-1. --idempotency-key is yours to choose, one for each message: sent again with the same key, a finished turn is answered from what is stored.",
      "Without --session a conversation begins; the printed sessionId goes on with it. --model, --environment, --server, --client, --system-prompt, --temperature and --tool-mode are settled by the first message.",
    ],
    arguments: {},
    flags: sendFlags,
    examples: [
      {
        command:
          'fettle cloud sessions send --server Shop --model fettle/rules-1 --message "Is Dune in stock?" --idempotency-key try-1',
        does: "Begin",
      },
      {
        command:
          'fettle cloud sessions send --session cht_1 --message "And in paper?" --idempotency-key try-2',
        does: "Go on",
      },
    ],
    load: () => import("./send.ts"),
  }),
  operationCommand({
    operation: "getChatSession",
    name: "cloud sessions show",
    summary: "Show a conversation and a window of what was said",
    flags: {
      session,
      "after-message": { field: "afterMessageIndex", value: "index", help: "Only what was said after this" },
      limit: { field: "limit", value: "n", help: "At most so many messages" },
      project,
    },
    asks: "a conversation",
    examples: { "The first fifty messages": "fettle cloud sessions show --session cht_1" },
    shows: { load: async () => (await import("../../../output/conversation.ts")).conversationText },
    next: ({ sessionId, nextMessageIndex }) =>
      nextMessageIndex === undefined
        ? undefined
        : `fettle cloud sessions show --session ${sessionId} --after-message ${nextMessageIndex - 1}`,
  }),
  operationCommand({
    operation: "getChatSessionTrace",
    name: "cloud sessions trace",
    summary: "Show what turns did: calls, times, tokens, places in the transcript",
    description: ["The latest turn, unless --turn or --after-turn says otherwise."],
    flags: {
      session,
      turn: { field: "turnId", value: "id", help: "This turn" },
      "after-turn": { field: "afterPromptIndex", value: "index", help: "The turns after this one" },
      limit: { field: "limit", value: "n", help: "At most so many turns" },
      "no-spans": { kind: "boolean", help: "Without the single steps" },
      project,
    },
    asks: "a conversation",
    body: ({ flags: { noSpans } }, fields) => {
      if (fields.turnId !== undefined && fields.afterPromptIndex !== undefined) {
        throw usageError("--turn asks for one turn, --after-turn for those after one; give one of them.");
      }
      return { ...fields, ...(noSpans && { includeSpans: false }) };
    },
    examples: {
      "The latest turn": "fettle cloud sessions trace --session cht_1",
      "All from the first": "fettle cloud sessions trace --session cht_1 --after-turn=-1 --limit 20",
    },
    shows: { load: async () => (await import("../../../output/conversation.ts")).traceText },
  }),
  command({
    name: "cloud sessions promote",
    section: "cloud",
    operations: ["promoteChatSession"],
    summary: "Make an eval case of a conversation",
    description: ["What the case cannot keep of the conversation is told."],
    arguments: {},
    flags: promoteFlags,
    examples: [
      { command: "fettle cloud sessions promote --session cht_1 --suite Checkout", does: "As a case" },
    ],
    load: () => import("./promote.ts"),
  }),
];
