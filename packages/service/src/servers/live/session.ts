/** @module A conversation with a saved server, in whichever thread: connection from the pool, messages kept, failures told the API's way. */
import type { ServerId } from "@fettle/contract/core";
import { type Connection, connect, type KnownSecret, Recorder, toRpcLogs } from "@fettle/mcp";
import { type Attending, declared } from "./attended.ts";
import { hearWire, recorderLimits, recorderWithListeners } from "./desk.ts";
import { toldFailure } from "./failure.ts";
import type { PendingDraft } from "./history-draft.ts";
import type { ConnectionPool, PoolKey } from "./pool.ts";
import type { Reach } from "./reach.ts";

/** However much progress a server reports, nobody waits for an HTTP answer longer than this. */
const longestCallMs = 120_000;

/** One question to one saved server. */
export interface LiveCall {
  server: AskedServer;
  connections: ConnectionPool;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** The caller wants to see what went over the wire. */
  withLogs: boolean;
  /** The person who looks on and answers the server, if one does. */
  attending: Attending | undefined;
  /** Opens its secrets: asked only when a connection is to be made. */
  reach(): Promise<Reach>;
  /** Told of the record of the conversation when it is over. */
  heard(recorder: Recorder): void;
  /** Keeps what was asked and what came of it. Never fails the call. */
  keep(pending: PendingDraft): Promise<void>;
  now(): number;
}

/** What has to be known of a saved server to ask it something, apart from the way there. */
export interface AskedServer {
  id: ServerId;
  name: string;
  /** All that a connection depends on, without a secret: whoever finds one warm needs none. */
  key: PoolKey;
}

/**
 * Runs `work` on a connection to the server, as the caller. What the server repeats of the credentials it was sent is
 * taken out of what it says, unless the answer is what somebody asked a tool for: that stays `verbatim`.
 */
export async function withServer<T extends object>(
  call: LiveCall,
  work: (connection: Connection, signal: AbortSignal) => Promise<T>,
  { verbatim = false, listens = false }: { verbatim?: boolean; listens?: boolean } = {},
): Promise<T> {
  const { server, connections, signal, attending } = call;
  // The one that is being made, then the one that is used: also what never came to stand leaves its messages.
  let recorder: Recorder | undefined;
  const open = async () => {
    const { target, timeoutMs, options, secrets } = await call.reach();
    recorder = attending ? recorderWithListeners(secrets, attending.hear) : recorderFor(secrets);
    return connect(target, {
      ...options,
      ...(attending && declared(attending, options.capabilities)),
      timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: Math.max(timeoutMs, longestCallMs) },
      recorder,
    });
  };
  // Before the pool is asked, so that a new connection's handshake shows too.
  const startedAt = call.now();
  const messages = () =>
    call.withLogs && recorder ? { _rpcLogs: messagesOf(recorder, server, startedAt) } : {};
  try {
    return await connections[listens ? "hold" : "use"](server.key, open, async (connection) => {
      recorder = connection.recorder;
      using _hearing = attending && hearWire(recorder, attending.hear);
      const result = await work(connection, signal);
      return { ...(verbatim ? result : recorder.hide(result)), ...messages() };
    });
  } catch (error) {
    // Already without them: a connection's failures quote none of its secrets.
    throw toldFailure(error, server, messages());
  } finally {
    if (recorder) call.heard(recorder);
  }
}

/** Keeps the messages with an MCP server, within bounds and without what was sent to be let in. */
export function recorderFor(secrets: readonly KnownSecret[]): Recorder {
  return new Recorder({ limits: recorderLimits, secrets });
}

/** The messages since a call began. A warm connection may carry others of the same caller at the same time; they show too. */
export function messagesOf(recorder: Recorder, server: AskedServer, startedAt = 0) {
  return toRpcLogs(recorder.read(startedAt), { serverId: server.id, serverName: server.name });
}
