/** @module What the commands of `tools` take. */
import { clientTemplateIds } from "@fettle/contract/environments";
import {
  connectionFlags,
  cursorFlag,
  debugOutFlag,
  hostFlag,
  interactiveFlags,
} from "../../connection/flags.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";
import { watchFlags, wireFlag } from "../../tasks/flags.ts";
import { placeFlags } from "../../widgets/place-flags.ts";

export const toolsListFlags = flags({
  ...connectionFlags,
  ...hostFlag,
  ...cursorFlag,
  "first-page-only": { kind: "boolean", help: "Never follow nextCursor" },
  "model-id": { kind: "text", value: "model", help: "Add a rough tokenCount for this model" },
  "no-mrtr": { kind: "boolean", help: "Act as a client that takes no questions" },
  ...retryFlags,
});

/** Of calls that become tasks; each needs --task, the last four --task-watch. */
export const taskFlags = flags({
  task: { kind: "boolean", help: "Ask for a task instead of waiting for the result" },
  "task-ttl": { kind: "integer", min: 1, value: "ms", help: "How long the task is to be kept" },
  "task-watch": { kind: "boolean", help: "Then watch it to its end" },
});

export const toolsCallFlags = flags({
  "tool-name": { kind: "text", value: "name", help: "Which tool (required)" },
  name: { kind: "text", value: "name", hidden: true, help: "The same as --tool-name" },
  "tool-args": { kind: "text", value: "json", defaultNote: "{}", help: "Its arguments (JSON, @path or -)" },
  params: { kind: "text", value: "json", hidden: true, help: "The same as --tool-args" },
  "tool-args-stdin": { kind: "boolean", help: "Read the arguments from stdin" },
  "validate-response": {
    kind: "boolean",
    help: "Fail when the result breaks the protocol's shape or the tool's output schema",
  },
  "expect-success": { kind: "boolean", help: "Fail when the tool reports an error" },
  reporter: {
    kind: "choice",
    choices: ["json-summary", "junit-xml"],
    value: "reporter",
    help: "Print a report instead of the result",
  },
  ...connectionFlags,
  ...hostFlag,
  ...interactiveFlags,
  ...debugOutFlag,
  "mcp-header": { kind: "text", value: "Name=Value", repeats: true, help: "Header of this one request" },
  "no-param-headers": { kind: "boolean", help: "Do not repeat arguments as Mcp-Param headers" },
  "first-page-only": { kind: "boolean", help: "With --host: look at the first page of tools only" },
  "no-mrtr": { kind: "boolean", help: "Act as a client that takes no questions" },
  ...taskFlags,
  ...wireFlag,
  ...watchFlags,
  ui: { kind: "boolean", help: "Show the result in the local inspector" },
  "require-render": { kind: "boolean", help: "With --ui: exit 1 unless it was shown" },
  open: { kind: "boolean", help: "With --ui: open a browser if no page is open (default on a terminal)" },
  "no-open": { kind: "boolean", help: "With --ui: open no browser" },
  "attach-only": { kind: "boolean", help: "With --ui: start and open nothing; no open page is an error" },
  "inspector-url": {
    kind: "text",
    value: "url",
    defaultNote: "FETTLE_INSPECTOR_URL, or the one that runs here",
    help: "With --ui: the inspector to show it in",
  },
  "frontend-url": { kind: "text", value: "url", help: "With --ui: address that the browser opens instead" },
  "server-name": {
    kind: "text",
    value: "name",
    defaultNote: "taken from its address or command",
    help: "With --ui: what the server is called in the inspector",
  },
  ...placeFlags("With --ui: "),
});

export type ToolsCall = Call<typeof toolsCallFlags, NoArguments>;

export const toolsCostFlags = flags({
  ...connectionFlags,
  host: {
    kind: "choice",
    choices: clientTemplateIds,
    value: "id",
    repeats: true,
    help: "As this host sends them",
  },
  budget: { kind: "integer", min: 1, value: "tokens", help: "Fail when all tools together cost more" },
  ...retryFlags,
});
