/** @module Talking to a model that uses the project's servers, and to the workspace agent. */
import { pagesOf } from "../page.ts";

export const playgroundPages = pagesOf("project", [
  {
    id: "playground",
    path: "/p/$pid/playground",
    title: "Playground",
    about: "Talk to a model that uses your servers, and see every call",
    reads: [
      "listSessions",
      "listChatSessions",
      "listModels",
      "listProjectServers",
      "listEnvironments",
      "listClients",
    ],
    jump: "p",
    terminal: { commands: ["fettle cloud sessions list --project {pid}"] },
    navigation: { label: "Playground", order: 2.2 },
  },
  {
    id: "playground-session",
    path: "/p/$pid/playground/$chat",
    title: "Conversation",
    about: "A conversation with a model: what was said, what was called, what it took",
    reads: ["getChatSession", "getChatSessionTrace", "listSessions", "listChatSessions"],
    terminal: { commands: ["fettle cloud sessions show --session {chat}"] },
  },
  {
    id: "agent",
    path: "/p/$pid/agent",
    title: "Agent",
    about: "Ask in words, decide what spends",
    reads: ["listAgentActions"],
    terminal: { operation: "runAgentTurn" },
    navigation: { label: "Agent", order: 2.3 },
  },
]);
