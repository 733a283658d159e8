/** @module Pages of directories: is a server ready for one, and which servers do they know? */
import { pagesOf } from "../page.ts";

export const directoriesPages = pagesOf("project", [
  {
    id: "readiness",
    path: "/p/$pid/readiness",
    title: "Readiness",
    about: "Whether servers are ready for a publisher's directory, and what is missing",
    reads: ["listReadinessRuns", "listProjectServers"],
    action: { label: "Grade a server", operation: "startDirectoryAReadinessRun" },
    empty: {
      title: "No server graded yet",
      text: "Grade a saved server by the rules of the Claude or the OpenAI directory. It is free, and calls no tool.",
    },
    jump: "r",
    terminal: { operation: "listReadinessRuns" },
    navigation: { label: "Readiness", order: 2.52 },
  },
  {
    id: "readiness-run",
    path: "/p/$pid/readiness/$rdid",
    title: "Readiness run",
    about: "How the server is graded for a directory, with every finding",
    reads: ["getReadinessRun", "getReadinessReport", "listProjectServers"],
    terminal: { commands: ["fettle readiness report --run {rdid} --project {pid}"] },
  },
  {
    id: "registry",
    path: "/p/$pid/registry",
    title: "Registry",
    about: "Servers that directories and your organization know, to be installed here",
    reads: [
      "searchRegistryDirectory",
      "listRegistryDirectorySources",
      "listRegistryServers",
      "listRegistryConnections",
    ],
    jump: "y",
    terminal: { commands: ["fettle registry search"] },
    navigation: { label: "Registry", order: 2.55 },
  },
]);
