/** @module Declares `tasks` and `subscriptions`: what goes on at a server after a request has been answered. */
import { command, group } from "../../program/command.ts";
import {
  listenFlags,
  taskFlags,
  tasksConformanceFlags,
  tasksFlags,
  tasksListFlags,
  tasksUpdateFlags,
  tasksWatchFlags,
} from "./flags.ts";

const server = "--url $URL";

export const tasksCommands = [
  group({ name: "tasks", section: "local", summary: "Follow long-running work at a server" }),
  command({
    name: "tasks capabilities",
    section: "local",
    summary: "Does a server offer tasks, and which way?",
    arguments: {},
    flags: tasksFlags,
    examples: [{ command: `fettle tasks capabilities ${server}`, does: "legacy, extension or none" }],
    load: () => import("./capabilities.ts"),
  }),
  command({
    name: "tasks list",
    section: "local",
    summary: "List a server's tasks (2025-11-25 only)",
    arguments: {},
    flags: tasksListFlags,
    examples: [{ command: `fettle tasks list ${server}`, does: "One page of tasks" }],
    load: () => import("./list.ts"),
  }),
  command({
    name: "tasks get",
    section: "local",
    summary: "Show a task as it stands",
    arguments: {},
    flags: taskFlags,
    examples: [{ command: `fettle tasks get ${server} --task-id t1`, does: "Status and message" }],
    load: () => import("./get.ts"),
  }),
  command({
    name: "tasks result",
    section: "local",
    summary: "Show what a finished task came to",
    arguments: {},
    flags: taskFlags,
    examples: [{ command: `fettle tasks result ${server} --task-id t1`, does: "The tool's result" }],
    load: () => import("./result.ts"),
  }),
  command({
    name: "tasks cancel",
    section: "local",
    summary: "Ask a server to stop a task",
    arguments: {},
    flags: taskFlags,
    examples: [{ command: `fettle tasks cancel ${server} --task-id t1`, does: "Ask, and return at once" }],
    load: () => import("./cancel.ts"),
  }),
  command({
    name: "tasks update",
    section: "local",
    summary: "Answer what a task asks for (2026-07-28 only)",
    arguments: {},
    flags: tasksUpdateFlags,
    examples: [
      {
        command: `fettle tasks update ${server} --task-id t1 --input-responses @answers.json`,
        does: "By hand",
      },
    ],
    load: () => import("./update.ts"),
  }),
  command({
    name: "tasks watch",
    section: "local",
    summary: "Follow a task to its end",
    description: [
      "Exits 0 when it completed, 1 when it failed, was cancelled, expired or is out of reach, 6 when it waits for an answer, 7 when the time is over, 130 on Ctrl-C.",
    ],
    arguments: {},
    flags: tasksWatchFlags,
    examples: [
      { command: `fettle tasks watch ${server} --task-id t1 --interactive`, does: "Answer as it asks" },
    ],
    load: () => import("./watch.ts"),
  }),
  command({
    name: "tasks conformance",
    section: "local",
    hosted: true,
    summary: "Check a server's tasks against the specification",
    description: [
      "Makes tasks, follows, answers and cancels them, on the wire of 2025-11-25 or of 2026-07-28, whichever the server and --protocol-version lead to.",
      "Only a tool you name is called; without --tool-name one that says it is read-only and needs no arguments, or the task tools of the official suite; with --call-read-only also one whose arguments have to be made. Where none is left there is nothing to test. Exits 0 when all passed, 1 on a failed check, 3 when something could not be tested.",
    ],
    arguments: {},
    flags: tasksConformanceFlags,
    examples: [
      {
        command: `fettle tasks conformance ${server} --tool-name report --tool-args '{"year":2026}'`,
        does: "With a tool that runs as a task",
      },
      {
        command: `fettle tasks conformance ${server} --protocol-version 2025-11-25 --category creation`,
        does: "The older wire, one category",
      },
    ],
    load: () => import("./conformance.ts"),
  }),
  group({ name: "subscriptions", section: "local", summary: "Hear of a server's changes" }),
  command({
    name: "subscriptions listen",
    section: "local",
    summary: "Print changes as they happen, one line each",
    description: ["With --format json every line is one JSON object; the last says how it ended."],
    arguments: {},
    flags: listenFlags,
    examples: [
      { command: `fettle subscriptions listen ${server} --list-changed`, does: "Any list, until Ctrl-C" },
      { command: `fettle subscriptions listen ${server} --resource-uri book://1`, does: "One resource" },
    ],
    load: () => import("./subscriptions-listen.ts"),
  }),
];
