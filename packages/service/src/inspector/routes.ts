/** @module Every route of the inspector with its policy: how terminal and pages find each other, and the contract's operations. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, type OperationDeclaration } from "@fettle/contract/core";
import {
  InspectorAck,
  InspectorCommand,
  InspectorTabs,
  inspectorLimits,
  inspectorRefusals,
} from "@fettle/contract/inspector";
import { operations } from "@fettle/contract/operations";
import type { ServerAskRequest } from "@fettle/contract/servers";
import { z } from "zod";
import { keepAlive } from "../core/events/sse.ts";
import { nothingHere } from "../core/routing/not-found.ts";
import { withSealedCursor } from "../http/list-cursors.ts";
import { pathOf } from "../http/route-table.ts";
import { readInput } from "../http/validate.ts";
import { frameOf } from "../servers/live/telling.ts";
import type { Policy } from "./admission.ts";
import type { Commands } from "./commands.ts";
import { type LocalApp, localOperations } from "./operations.ts";
import type { SessionCodes } from "./session-codes.ts";
import type { Tabs } from "./tabs.ts";

export interface InspectorParts {
  app: LocalApp;
  tabs: Tabs;
  commands: Commands;
  codes: SessionCodes;
  health: { service: string; version: string; startId: string };
  url: string;
  sandboxUrl: string;
  token: string;
  /** Told when somebody with the token asks it to end. */
  stop(): void;
}

export interface RouteCall {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Answer {
  status: number;
  body: unknown;
}

export interface Route {
  id: string;
  method: string;
  path: string;
  policy: Policy;
  exactNumbers?: boolean;
  /** Nothing when it has answered by itself. */
  handle(call: RouteCall): Promise<Answer | undefined> | Answer | undefined;
}

const json = { auth: "token", maxBody: inspectorLimits.bodyBytes } as const satisfies Policy;
const ok = (body: unknown): Answer => ({ status: 200, body });

export function createRoutes(parts: InspectorParts): Route[] {
  return [...controlRoutes(parts), ...operationRoutes(parts.app)];
}

function controlRoutes({
  app,
  tabs,
  commands,
  codes,
  health,
  url,
  sandboxUrl,
  token,
  stop,
}: InspectorParts): Route[] {
  return [
    { id: "health", method: "GET", path: "/health", policy: { auth: "open" }, handle: () => ok(health) },
    {
      id: "status",
      method: "GET",
      path: "/api/status",
      policy: { auth: "token" },
      handle: () => {
        const active = tabs.ranked()[0];
        const servers = app.servers.list().map((server) => ({
          id: server.id,
          name: server.name,
          approved: app.servers.isApproved(server),
        }));
        return ok({
          version: health.version,
          url,
          frontendUrl: url,
          sandbox: { url: sandboxUrl, ok: sandboxUrl !== "" },
          hasActiveClient: active !== undefined,
          clients: tabs.list(),
          activeClientId: active?.clientId ?? null,
          servers,
        });
      },
    },
    {
      id: "sessionCodes",
      method: "POST",
      path: "/api/session-codes",
      policy: json,
      handle: () => ok({ code: codes.make() }),
    },
    {
      id: "session",
      method: "POST",
      path: "/api/session",
      policy: { auth: "code", maxBody: inspectorLimits.bodyBytes },
      handle: ({ body }) => {
        codes.use(parse(z.strictObject({ code: z.string() }), body).code);
        return ok({ token });
      },
    },
    { id: "events", method: "GET", path: "/api/events", policy: { auth: "token" }, handle: streamTo(tabs) },
    {
      id: "clients",
      method: "PUT",
      path: "/api/clients",
      policy: json,
      handle: ({ body }) => {
        tabs.tell(parse(InspectorTabs, body));
        return ok({ activeClientId: tabs.ranked()[0]?.clientId ?? null });
      },
    },
    {
      id: "connect",
      method: "POST",
      path: "/api/mcp/connect",
      policy: json,
      handle: async ({ body, signal }) => {
        const { serverId } = parse(z.strictObject({ serverId: z.string() }), body);
        const server = app.servers.find(serverId);
        if (!server) return refusalOf("unknown_server", "There is no such server.");
        await app.asking.ask(server, "validate", {}, { signal });
        return ok({ state: "connected" });
      },
    },
    {
      id: "approve",
      method: "POST",
      path: "/api/mcp/approve",
      policy: json,
      handle: async ({ body }) => {
        const { serverId } = parse(z.strictObject({ serverId: z.string() }), body);
        const server = app.servers.find(serverId);
        if (!server) return refusalOf("unknown_server", "There is no such server.");
        await app.servers.approve(server);
        app.changed("servers");
        return ok({ approved: true });
      },
    },
    {
      id: "sample",
      method: "POST",
      path: "/api/mcp/sample",
      policy: json,
      handle: async ({ body }) => {
        const { onlyFirstTime } = parse(z.strictObject({ onlyFirstTime: z.boolean() }), body);
        if (onlyFirstTime && !app.servers.isFirstTime()) return ok({ serverId: null });
        return ok({ serverId: (await app.sample.keep()).id });
      },
    },
    {
      id: "commandLine",
      method: "GET",
      path: "/api/mcp/servers/{serverId}/command",
      policy: { auth: "token" },
      handle: ({ params }) => {
        const server = app.servers.find(params.serverId ?? "");
        if (!server) return refusalOf("unknown_server", "There is no such server.");
        return ok({
          ...app.servers.commandOf(server),
          approved: app.servers.isApproved(server),
          before: app.servers.approvedCommandOf(server),
        });
      },
    },
    {
      id: "command",
      method: "POST",
      path: "/api/mcp/command",
      policy: { auth: "token", maxBody: inspectorLimits.resultBytes },
      handle: async ({ body }) => {
        const answer = await commands.run(parse(InspectorCommand, body));
        const status = answer.status === "success" ? 200 : inspectorRefusals[answer.error.code].status;
        return { status, body: answer };
      },
    },
    {
      id: "ack",
      method: "POST",
      path: "/api/mcp/command/{id}/ack",
      policy: json,
      handle: ({ params, body }) =>
        commands.acknowledge(params.id ?? "", parse(InspectorAck, body))
          ? ok({ id: params.id })
          : refusalOf("unknown_command_id", "This command is not known, or over."),
    },
    {
      id: "shutdown",
      method: "POST",
      path: "/api/shutdown",
      policy: json,
      handle: () => {
        stop();
        return { status: 202, body: { stopping: true } };
      },
    },
  ];
}

function refusalOf(code: keyof typeof inspectorRefusals, message: string): Answer {
  return { status: inspectorRefusals[code].status, body: { error: { code, message } } };
}

/** The one stream of a browser: what is stale, and what the terminal wants. */
function streamTo(tabs: Tabs): Route["handle"] {
  return ({ request, response, query }) => {
    const browser = query.browser ?? "";
    openStream(response);
    const leave = tabs.connect(browser, {
      userAgent: String(request.headers["user-agent"] ?? "").slice(0, inspectorLimits.nameLength),
      openForMs: Number(query.openForMs ?? 0),
      send: (frame) => void response.write(frameText(frame)),
    });
    const tick = setInterval(() => response.write(keepAlive), inspectorLimits.keepAliveMs);
    response.once("close", () => {
      clearInterval(tick);
      leave();
    });
    return undefined;
  };
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
  });
  response.write(keepAlive);
}

const frameText = (frame: object) => {
  const { event, data } = frame as { event: string; data: unknown };
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
};

function operationRoutes(app: LocalApp): Route[] {
  return Object.values(operations as Record<string, OperationDeclaration>).map((operation) => {
    const handler: unknown = (localOperations as Record<string, unknown>)[operation.id];
    const isWrite = operation.method !== "GET";
    return {
      id: operation.id,
      method: operation.method,
      path: pathOf(operation),
      policy: { auth: "token", ...(isWrite && { maxBody: inspectorLimits.resultBytes }) },
      exactNumbers: operation.exactNumbers ?? false,
      handle: async (call) => {
        if (!handler && operation.id !== "streamServerAsk") throw notHere(operation);
        const { query, body } = readInput(operation, call);
        // Its schema has just read it.
        if (!handler) return streamAsk(app, call, body as ServerAskRequest);
        const given = { app, params: call.params, query, body, signal: call.signal };
        // Each handler was matched with its operation by the compiler.
        const output = await (handler as (given: unknown) => Promise<unknown>)(given);
        return { status: operation.status ?? 200, body: withSealedCursor(operation, call, output) };
      },
    };
  });
}

const notHere = ({ id }: OperationDeclaration) =>
  new ApiError("FEATURE_NOT_SUPPORTED", "The local inspector does not have this; the service does.", {
    reason: "local_mode",
    operationId: id,
    hint: "`fettle serve` starts the service on this machine.",
  });

async function streamAsk(
  app: LocalApp,
  { params, signal, response }: RouteCall,
  request: ServerAskRequest,
): Promise<undefined> {
  const server = app.servers.find(params.serverId ?? "");
  if (!server) throw nothingHere();
  openStream(response);
  const told = app.asking.attended(server, request, signal);
  for (;;) {
    const next = await told.next(inspectorLimits.keepAliveMs);
    if (next === "over") break;
    if (next === "tick") response.write(keepAlive);
    else for await (const piece of frameOf(next)) response.write(piece);
  }
  response.end();
  app.changed("history");
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = ["body", ...(issue?.path ?? []).map(String)].join(".");
  throw new ApiError("VALIDATION_ERROR", `${path}: ${issue?.message}`, { path });
}
