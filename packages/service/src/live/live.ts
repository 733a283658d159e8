/** @module What can be asked of a saved server while the caller waits. */
import { doctor, initInfoOf, readServer, toExport } from "@fettle/checks";
import { ApiError } from "@fettle/contract";
import { type Connection, type ListOptions, type ListWalk, McpError } from "@fettle/mcp";
import { type LiveCall, messagesOf, reachServer, recorderFor, withServer } from "./session.ts";
import type { SavedServer } from "./store.ts";

export function validate(call: LiveCall, server: SavedServer) {
  return withServer(call, server, async (connection, signal) => {
    // A warm connection proves nothing about now.
    await connection.ping({ signal });
    return { success: true as const, status: "connected" as const, initInfo: { ...initInfoOf(connection) } };
  });
}

type Lists = { [Kind in "listTools" | "listPrompts" | "listResources" | "listResourceTemplates"]: unknown };

/** One page, as the server cut it. */
export function listPage<Kind extends keyof Lists>(
  call: LiveCall,
  server: SavedServer,
  kind: Kind,
  cursor: string | undefined,
) {
  return withServer(call, server, async (connection, signal) => {
    const options: ListOptions = { firstPageOnly: true, signal, ...(cursor !== undefined && { cursor }) };
    type Item = Awaited<ReturnType<Connection[Kind]>>["items"][number];
    // The four walks differ only in their items, which `Item` names.
    const walk = (await connection[kind](options)) as unknown as ListWalk<Item>;
    return {
      items: walk.items,
      ...(walk.nextCursor !== undefined && { nextCursor: walk.nextCursor }),
      ...(walk.problems.length > 0 && {
        malformed: walk.problems.map(({ index, name, reason }) => ({ index, reason, ...(name && { name }) })),
      }),
    };
  });
}

export function readResource(call: LiveCall, server: SavedServer, uri: string) {
  return withServer(call, server, async (connection, signal) => {
    const result = await connection.readResource(uri, { signal });
    return requireMember(result, "contents");
  });
}

export async function callTool(
  call: LiveCall,
  server: SavedServer,
  request: {
    toolName: string;
    parameters?: Record<string, unknown>;
    taskOptions?: unknown;
    allowTaskResult?: boolean;
  },
) {
  if (request.taskOptions !== undefined || request.allowTaskResult === true) {
    throw new ApiError("FEATURE_NOT_SUPPORTED", "A task outlives this call; run it from the command line.", {
      reason: "TASKS_NOT_SUPPORTED",
    });
  }
  return withServer(
    call,
    server,
    async (connection, signal) => {
      const startedAt = performance.now();
      const result = await connection.callTool(request.toolName, request.parameters ?? {}, { signal });
      return { ...result, durationMs: Math.round(performance.now() - startedAt) };
    },
    { verbatim: true },
  );
}

export function getPrompt(
  call: LiveCall,
  server: SavedServer,
  request: { promptName: string; arguments?: Record<string, string | number | boolean> },
) {
  return withServer(call, server, async (connection, signal) => {
    // The protocol's prompt arguments are strings.
    const args = Object.fromEntries(
      Object.entries(request.arguments ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const result = await connection.getPrompt(request.promptName, args, { signal });
    return requireMember(result, "messages");
  });
}

/** Everything the server offers, each list to its end. */
export function exportServer(call: LiveCall, server: SavedServer) {
  return withServer(call, server, async (connection, signal) => {
    const contents = await readServer(connection, signal);
    const exportedAt = new Date(call.app.now()).toISOString();
    return { serverId: server.id, serverName: server.name, ...toExport(contents, server.name, exportedAt) };
  });
}

/** A sick server is a report, not an error. It gets a connection of its own: a warm one would hide how it starts. */
export async function runDoctor(call: LiveCall, server: SavedServer) {
  const { target, timeoutMs, options, secrets } = await reachServer(call, server);
  const recorder = recorderFor(secrets);
  const examined = await call.app.connections.within(server.projectId, () =>
    doctor(target, { ...options, timeoutMs, signal: call.request.signal, recorder }),
  );
  // Its own words are clean of what the target holds; the recorder knows the rest, such as a token renewed meanwhile.
  const report = recorder.hide(examined);
  // Spread, because the wire's objects are open and the report's are not.
  return {
    ...report,
    probe: report.probe && { ...report.probe },
    initInfo: report.initInfo && { ...report.initInfo },
    ...(call.query?.rpc === "true" && { _rpcLogs: messagesOf(recorder, server) }),
  };
}

function requireMember<Name extends string>(result: Record<string, unknown>, name: Name) {
  const member = result[name];
  if (Array.isArray(member))
    return { ...result, [name]: member } as Record<string, unknown> & Record<Name, never[]>;
  throw new McpError("INVALID_RESULT", `The answer has no "${name}" array.`);
}
