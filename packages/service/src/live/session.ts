/** @module From a saved server to a conversation with it: secrets opened, connection from the pool, failures told the API's way. */
import { ApiError, limits } from "@fettle/contract";
import {
  type Connection,
  type ConnectOptions,
  connect,
  type HttpTarget,
  type KnownSecret,
  type NetworkPolicy,
  parseTarget,
  Recorder,
  secretsOf,
  toRpcLogs,
} from "@fettle/mcp";
import type { App } from "../app.ts";
import type { SignedInCaller } from "../http/bind.ts";
import { openEndpoint } from "../servers/endpoint.ts";
import { dialOwnTunnel } from "../tunnels/own-tunnel.ts";
import { openCredential, renewing, secretsOfCredential } from "./credentials.ts";
import { toldFailure } from "./failure.ts";
import type { PoolKey } from "./pool.ts";
import type { SavedServer } from "./store.ts";

/** However much progress a server reports, nobody waits for an HTTP answer longer than this. */
const longestCallMs = 120_000;
/** A pooled connection lives long and nobody reads most of its recording. */
const recorderLimits = { entries: 200, bytes: 256 * 1024, textBytes: 64 * 1024 };

export interface LiveCall {
  app: App;
  caller: SignedInCaller;
  request: { signal: AbortSignal };
  query?: { rpc?: "true" | "false" | undefined } | undefined;
}

/** Which addresses a URL of a person or a server may lead to. */
export function networkPolicy({ config }: Pick<App, "config">): NetworkPolicy {
  return { mode: config.mode, exceptions: config.networkExceptions };
}

/** A saved server made ready to be spoken to, as one caller. */
export interface Reach {
  target: HttpTarget;
  timeoutMs: number;
  options: Pick<ConnectOptions, "policy" | "capabilities" | "authorize">;
  /** Hides, in whatever is told of the conversation, what was sent to be let in. */
  secrets: KnownSecret[];
}

/** Opens the secrets of the server and of the caller's credential. The service starts no commands, so stdio is refused. */
export async function reachServer({ app, caller }: LiveCall, server: SavedServer): Promise<Reach> {
  const { url, headers = {}, clientSecret } = openEndpoint(app.vault, server);
  if (server.transportType === "stdio" || url === undefined) {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      "The service starts no commands. Reach this server through a tunnel.",
      {
        reason: "STDIO_NEEDS_TUNNEL",
        hint: "Run `fettle cloud tunnel --server <name> -- <command>` where the command lives.",
      },
    );
  }
  const credential = server.credential && openCredential(app, server.credential, url);
  const accessToken = credential?.tokens?.accessToken;
  const dial = await dialOwnTunnel(app, server.id, url);
  const policy = { ...networkPolicy(app), ...(dial && { dial }) };
  // An HTTP address was given, so an HTTP target is what comes back.
  const target = parseTarget({
    url,
    headers,
    ...(accessToken !== undefined && { accessToken }),
  }) as HttpTarget;
  return {
    target,
    secrets: [
      ...secretsOf(target),
      ...secretsOfCredential(credential),
      ...(clientSecret === undefined ? [] : [clientSecret]),
    ],
    timeoutMs: server.settings.timeout ?? limits.request.ms.fallback,
    options: {
      policy,
      ...(server.settings.clientCapabilities && { capabilities: server.settings.clientCapabilities }),
      ...(credential && { authorize: renewing(app, server, caller.userId, credential, policy) }),
    },
  };
}

/** All that a connection depends on, without opening a secret: whoever finds one warm needs none. */
function poolKeyOf({ id, projectId, version, credential }: SavedServer): PoolKey {
  return {
    projectId,
    serverId: id,
    settings: version,
    credential: credential ? `${credential.userId}@${credential.version}` : "",
  };
}

/**
 * Runs `work` on a connection to the server, as the caller. What the server repeats of the credentials it was sent is
 * taken out of what it says, unless the answer is what somebody asked a tool for: that stays `verbatim`.
 */
export async function withServer<T extends object>(
  call: LiveCall,
  server: SavedServer,
  work: (connection: Connection, signal: AbortSignal) => Promise<T>,
  { verbatim = false }: { verbatim?: boolean } = {},
): Promise<T> {
  // The one that is being made, then the one that is used: also what never came to stand leaves its messages.
  let recorder: Recorder | undefined;
  const open = async () => {
    const { target, timeoutMs, options, secrets } = await reachServer(call, server);
    recorder = recorderFor(secrets);
    return connect(target, {
      ...options,
      timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: Math.max(timeoutMs, longestCallMs) },
      recorder,
    });
  };
  // Before the pool is asked, so that a new connection's handshake shows too.
  const startedAt = call.app.now();
  const messages = () =>
    call.query?.rpc === "true" && recorder ? { _rpcLogs: messagesOf(recorder, server, startedAt) } : {};
  try {
    return await call.app.connections.use(poolKeyOf(server), open, async (connection) => {
      recorder = connection.recorder;
      const result = await work(connection, call.request.signal);
      return { ...(verbatim ? result : recorder.hide(result)), ...messages() };
    });
  } catch (error) {
    // Already without them: a connection's failures quote none of its secrets.
    throw toldFailure(error, server, messages());
  }
}

/** Keeps the messages with an MCP server, within bounds and without what was sent to be let in. */
export function recorderFor(secrets: readonly KnownSecret[]): Recorder {
  return new Recorder({ limits: recorderLimits, secrets });
}

/** The messages since a call began. A warm connection may carry others of the same caller at the same time; they show too. */
export function messagesOf(recorder: Recorder, server: SavedServer, startedAt = 0) {
  const recording = recorder.read();
  const entries = recording.entries.filter(({ at }) => at >= startedAt);
  return toRpcLogs({ ...recording, entries }, { serverId: server.id, serverName: server.name });
}
