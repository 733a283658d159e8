/** @module What can be asked of a saved server while the caller waits. Nothing here knows in which thread it runs. */
import { doctor, initInfoOf, readServer, toExport } from "@fettle/checks";
import { ApiError, limits } from "@fettle/contract/core";
import {
  type Connection,
  isObject,
  type ListOptions,
  type ListWalk,
  McpError,
  shortestSecret,
} from "@fettle/mcp";
import { checkCompat } from "./compat.ts";
import { listen } from "./listening.ts";
import { readDocument, requireMember } from "./read-document.ts";
import { type LiveCall, messagesOf, recorderFor, withServer } from "./session.ts";
import { callAttended, type ToolRequest } from "./task-call.ts";

/** By name, because a name and plain input are what another thread can be told. */
export const asks = {
  validate,
  listTools: (call: LiveCall, page: Page) => listPage(call, "listTools", page),
  listPrompts: (call: LiveCall, page: Page) => listPage(call, "listPrompts", page),
  listResources: (call: LiveCall, page: Page) => listPage(call, "listResources", page),
  listResourceTemplates: (call: LiveCall, page: Page) => listPage(call, "listResourceTemplates", page),
  readResource,
  callTool,
  getPrompt,
  exportServer,
  runDoctor,
  checkCompat,
  complete,
  readWidget,
  listen,
};

export type AskName = keyof typeof asks;

function validate(call: LiveCall) {
  return withServer(call, async (connection, signal) => {
    // A warm connection proves nothing about now.
    await connection.ping({ signal });
    return { success: true as const, status: "connected" as const, initInfo: { ...initInfoOf(connection) } };
  });
}

interface Page {
  cursor?: string | undefined;
}

/** One page, as the server cut it. */
function listPage<Kind extends "listTools" | "listPrompts" | "listResources" | "listResourceTemplates">(
  call: LiveCall,
  kind: Kind,
  { cursor }: Page,
) {
  return withServer(call, async (connection, signal) => {
    const options: ListOptions = { firstPageOnly: true, signal, ...(cursor !== undefined && { cursor }) };
    type Item = Awaited<ReturnType<Connection[Kind]>>["items"][number];
    // The four walks differ only in their items, which `Item` names.
    const walk = (await connection[kind](options)) as ListWalk<Item>;
    return {
      items: walk.items,
      ...(walk.nextCursor !== undefined && { nextCursor: walk.nextCursor }),
      ...(walk.problems.length > 0 && {
        malformed: walk.problems.map(({ index, name, reason, isRepetition }) => ({
          index,
          reason,
          ...(name && { name }),
          ...(isRepetition && { isRepetition }),
        })),
      }),
    };
  });
}

function readResource(call: LiveCall, { uri }: { uri: string }) {
  return withServer(call, async (connection, signal) => {
    const result = await connection.readResource(uri, { signal, ...call.attending?.options });
    return requireMember(result, "contents");
  });
}

function readWidget(call: LiveCall, { uri }: { uri: string }) {
  return withServer(call, (connection, signal) => readDocument(connection, uri, signal));
}

async function callTool(call: LiveCall, request: ToolRequest & { allowTaskResult?: boolean }) {
  const { attending } = call;
  if (!attending && (request.taskOptions !== undefined || request.allowTaskResult === true)) {
    throw new ApiError("FEATURE_NOT_SUPPORTED", "A task outlives this call; run it from the command line.", {
      reason: "TASKS_NOT_SUPPORTED",
    });
  }
  return withServer(
    call,
    async (connection, signal) => {
      await learnTool(connection, request, signal);
      const startedAt = performance.now();
      const result = attending
        ? await callAttended(connection, request, attending, signal)
        : await connection.callTool(request.toolName, request.parameters ?? {}, { signal });
      return { ...result, durationMs: Math.round(performance.now() - startedAt) };
    },
    { verbatim: true },
  );
}

/** Shorter texts are never taken out, so that nothing need be known of them. */
const holdsText = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length >= shortestSecret
    : typeof value === "object" && value !== null && Object.values(value).some(holdsText);

/**
 * What is kept of a call must not hold arguments that the tool marks as credentials, and only its definition says which. A connection
 * asks once; a server that does not answer that has its call all the same.
 */
async function learnTool(
  connection: Connection,
  { toolName, parameters }: ToolRequest,
  signal: AbortSignal,
): Promise<void> {
  if (connection.knowsTool(toolName) || !holdsText(parameters)) return;
  await connection.listTools({ signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof McpError)) throw error;
  });
}

function getPrompt(
  call: LiveCall,
  request: { promptName: string; arguments?: Record<string, string | number | boolean> },
) {
  return withServer(call, async (connection, signal) => {
    // The protocol's prompt arguments are strings.
    const args = Object.fromEntries(
      Object.entries(request.arguments ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const result = await connection.getPrompt(request.promptName, args, {
      signal,
      ...call.attending?.options,
    });
    return requireMember(result, "messages");
  });
}

/** A server that completes nothing is not asked. */
function complete(
  call: LiveCall,
  {
    ref,
    argument,
    context,
  }: {
    ref: { prompt: string } | { uriTemplate: string };
    argument: { name: string; value: string };
    context: Record<string, string>;
  },
) {
  return withServer(call, async (connection, signal) => {
    if (!isObject(connection.capabilities.completions)) return { values: [] };
    const { completion } = await connection.complete(
      "prompt" in ref
        ? { type: "ref/prompt", name: ref.prompt }
        : { type: "ref/resource", uri: ref.uriTemplate },
      argument,
      { signal, ...(Object.keys(context).length > 0 && { context: { arguments: context } }) },
    );
    const values = isObject(completion) && Array.isArray(completion.values) ? completion.values : [];
    return {
      values: values.filter((value) => typeof value === "string").slice(0, limits.live.attended.completions),
    };
  });
}

/** Everything the server offers, each list to its end. */
function exportServer(call: LiveCall) {
  const { id, name } = call.server;
  return withServer(call, async (connection, signal) => {
    const contents = await readServer(connection, signal);
    return {
      serverId: id,
      serverName: name,
      ...toExport(contents, name, new Date(call.now()).toISOString()),
    };
  });
}

/** A sick server is a report, not an error. It gets a connection of its own: a warm one would hide how it starts. */
async function runDoctor(call: LiveCall) {
  const { server, signal } = call;
  const { target, timeoutMs, options, secrets } = await call.reach();
  const recorder = recorderFor(secrets);
  const examined = await call.connections
    .within(server.key.projectId, () => doctor(target, { ...options, timeoutMs, signal, recorder }))
    .finally(() => call.heard(recorder));
  // Its own words are clean of what the target holds; the recorder knows the rest, such as a token renewed meanwhile.
  const report = recorder.hide(examined);
  // Spread, because the wire's objects are open and the report's are not.
  return {
    ...report,
    probe: report.probe && { ...report.probe },
    initInfo: report.initInfo && { ...report.initInfo },
    ...(call.withLogs && { _rpcLogs: messagesOf(recorder, server) }),
  };
}
