/**
 * The stateful era over HTTP: one server per session, a stream the client may resume, and an end by DELETE.
 * @module
 */
import { randomUUID } from "node:crypto";
import {
  type EventStore,
  type JSONRPCMessage,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { FetchHandler } from "../serve-http.ts";

export interface Sessions {
  fetch: FetchHandler;
  close(): Promise<void>;
}

// A fixture that is hammered with `initialize` must not grow without end; the oldest session goes first.
const SESSIONS_KEPT = 200;
const EVENTS_KEPT = 1000;

export function createSessions(createServer: () => McpServer): Sessions {
  const sessions = new Map<
    string,
    { transport: WebStandardStreamableHTTPServerTransport; server: McpServer }
  >();

  async function open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: 500,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, server });
        const oldest = sessions.keys().next().value;
        if (sessions.size > SESSIONS_KEPT && oldest) void end(oldest);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport);
    return transport;
  }

  async function end(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  }

  return {
    async fetch(request) {
      const id = request.headers.get("mcp-session-id");
      if (!id) return (await open()).handleRequest(request);
      const session = sessions.get(id);
      if (session) return session.transport.handleRequest(request);
      const error = { code: -32001, message: "Session not found" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** Keeps the events of one session so that a broken stream can be taken up again. */
function createEventStore(): EventStore {
  const events: { id: string; streamId: string; message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(streamId, message) {
      const id = randomUUID();
      events.push({ id, streamId, message });
      if (events.length > EVENTS_KEPT) events.shift();
      return id;
    },
    async getStreamIdForEventId(eventId) {
      return events.find((event) => event.id === eventId)?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const start = events.findIndex((event) => event.id === lastEventId);
      const streamId = events[start]?.streamId ?? "";
      for (const event of events.slice(start + 1)) {
        if (event.streamId === streamId) await send(event.id, event.message);
      }
      return streamId;
    },
  };
}
