/** @module What the commands of `tasks` take. */
import { limits } from "@fettle/contract/core";
import {
  callReadOnlyFlag,
  categoryFlag,
  checkIdFlag,
  reportFlags,
  requireFlags,
  uploadFlags,
} from "../../conformance/flags.ts";
import { connectionFlags, cursorFlag, interactiveFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";
import { watchFlags, wireFlag } from "../../tasks/flags.ts";

export const tasksFlags = flags({ ...connectionFlags, ...wireFlag });

export const tasksListFlags = flags({ ...tasksFlags, ...cursorFlag });

export const taskFlags = flags({
  "task-id": { kind: "text", value: "id", required: true, help: "Which task" },
  ...tasksFlags,
});

export const tasksUpdateFlags = flags({
  ...taskFlags,
  "input-responses": {
    kind: "text",
    value: "json",
    required: true,
    help: "Answers by key (JSON, @path or -)",
  },
});

export const tasksWatchFlags = flags({ ...taskFlags, ...watchFlags, ...interactiveFlags });

/** The suite declares what its probes need, so that is not the operator's to choose. */
const { "client-capabilities": _capabilities, ...connection } = connectionFlags;

export const tasksConformanceFlags = flags({
  ...connection,
  "tool-name": { kind: "text", value: "name", help: "A tool that may be called, again and again, as a task" },
  "tool-args": { kind: "text", value: "json", defaultNote: "{}", help: "Its arguments (JSON, @path or -)" },
  ...callReadOnlyFlag,
  "input-responses": {
    kind: "text",
    value: "json",
    help: "Answers to what its task asks, by key (JSON, @path or -)",
  },
  "poll-timeout": {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    defaultNote: String(limits.request.ms.fallback),
    help: "How long one task is followed",
  },
  ...categoryFlag(["dispatch", "creation", "lifecycle"]),
  ...checkIdFlag,
  ...requireFlags.tasks,
  ...reportFlags,
  ...uploadFlags,
});

export const listenFlags = flags({
  "list-changed": { kind: "boolean", help: "Changes to any list" },
  "tools-list-changed": { kind: "boolean", help: "Changes to the tools" },
  "prompts-list-changed": { kind: "boolean", help: "Changes to the prompts" },
  "resources-list-changed": { kind: "boolean", help: "Changes to the resources" },
  "resource-uri": {
    kind: "text",
    value: "uri",
    repeats: true,
    variadic: true,
    help: "Changes to these resources",
  },
  "max-notifications": { kind: "integer", min: 1, value: "count", help: "Stop after so many" },
  "duration-ms": { kind: "integer", min: 1, max: limits.waitMs, value: "ms", help: "Stop after so long" },
  relisten: {
    kind: "integer",
    min: 0,
    value: "count",
    defaultNote: "0",
    help: "Listen again when it breaks off",
  },
  "relisten-delay-ms": {
    kind: "integer",
    min: 0,
    max: limits.waitMs,
    value: "ms",
    defaultNote: "1000",
    help: "First wait; doubles",
  },
  "relisten-max-delay-ms": {
    kind: "integer",
    min: 0,
    max: limits.waitMs,
    value: "ms",
    defaultNote: "30000",
    help: "Longest wait",
  },
  ...connectionFlags,
});
