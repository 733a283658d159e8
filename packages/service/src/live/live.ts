/** @module What can be asked of a saved server while the caller waits. */
import { ApiError } from "@fettle/contract";
import type { Connection, ListOptions, ListWalk } from "@fettle/mcp";
import type { ServerRow } from "../servers/store.ts";
import { type LiveCall, withServer } from "./session.ts";

export function validate(call: LiveCall, server: ServerRow) {
  return withServer(call, server, async (connection, signal) => {
    // A warm connection proves nothing about now.
    await connection.ping({ signal });
    return { success: true as const, status: "connected" as const, initInfo: initInfoOf(connection) };
  });
}

export function initInfoOf(connection: Connection): Record<string, unknown> {
  return {
    protocolVersion: connection.protocolVersion,
    transport: connection.transport,
    serverInfo: connection.serverInfo,
    capabilities: connection.capabilities,
    ...(connection.instructions !== undefined && { instructions: connection.instructions }),
  };
}

type Lists = { [Kind in "listTools" | "listPrompts" | "listResources" | "listResourceTemplates"]: unknown };

/** One page, as the server cut it. */
export function listPage<Kind extends keyof Lists>(
  call: LiveCall,
  server: ServerRow,
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

export function readResource(call: LiveCall, server: ServerRow, uri: string) {
  return withServer(call, server, async (connection, signal) => {
    const result = await connection.readResource(uri, { signal });
    return requireMember(result, "contents");
  });
}

export async function callTool(
  call: LiveCall,
  server: ServerRow,
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
  return withServer(call, server, async (connection, signal) => {
    const startedAt = performance.now();
    const result = await connection.callTool(request.toolName, request.parameters ?? {}, { signal });
    return { ...result, durationMs: Math.round(performance.now() - startedAt) };
  });
}

export function getPrompt(
  call: LiveCall,
  server: ServerRow,
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

/** Everything the server offers, each list to its end; a list the server does not have is empty. */
export function exportServer(call: LiveCall, server: ServerRow) {
  return withServer(call, server, async (connection, signal) => {
    const { capabilities } = connection;
    const has = (name: string) => capabilities[name] !== undefined;
    const none = { items: [] };
    const [tools, resources, resourceTemplates, prompts] = await Promise.all([
      has("tools") ? connection.listTools({ signal }) : none,
      has("resources") ? connection.listResources({ signal }) : none,
      has("resources") ? connection.listResourceTemplates({ signal }) : none,
      has("prompts") ? connection.listPrompts({ signal }) : none,
    ]);
    return {
      serverId: server.id,
      serverName: server.name,
      exportedAt: new Date(call.app.now()).toISOString(),
      initInfo: initInfoOf(connection),
      tools: tools.items,
      resources: resources.items,
      resourceTemplates: resourceTemplates.items,
      prompts: prompts.items,
    };
  });
}

function requireMember<Name extends string>(result: Record<string, unknown>, name: Name) {
  const member = result[name];
  if (Array.isArray(member))
    return { ...result, [name]: member } as Record<string, unknown> & Record<Name, never[]>;
  throw new ApiError("SERVER_UNREACHABLE", "The MCP server's answer breaks the protocol.", {
    reason: "NOT_MCP",
    missing: name,
  });
}
