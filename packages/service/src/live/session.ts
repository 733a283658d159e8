/** @module From a saved server to a conversation with it: secrets opened, connection from the pool, failures told the API's way. */
import { ApiError } from "@fettle/contract";
import { type Connection, connect, parseTarget, Recorder } from "@fettle/mcp";
import type { App } from "../app.ts";
import type { SignedInCaller } from "../http/bind.ts";
import { openEndpoint } from "../servers/endpoint.ts";
import type { ServerRow } from "../servers/store.ts";
import { readCredential, renewing } from "./credentials.ts";
import { toldFailure } from "./failure.ts";

const defaultTimeoutMs = 30_000;
/** However much progress a server reports, nobody waits for an HTTP answer longer than this. */
const longestCallMs = 120_000;
/** A pooled connection lives long and nobody reads most of its recording. */
const recorderLimits = { entries: 200, bytes: 256 * 1024, textBytes: 16 * 1024 };

export interface LiveCall {
  app: App;
  caller: SignedInCaller;
  request: { signal: AbortSignal };
}

/** Runs `work` on a connection to the server, as the caller. */
export async function withServer<T>(
  { app, caller, request }: LiveCall,
  server: ServerRow,
  work: (connection: Connection, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const endpoint = openEndpoint(app.vault, server);
  if (server.transportType === "stdio" || endpoint.url === undefined) {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      "The service starts no commands. Reach this server through a tunnel.",
      {
        reason: "STDIO_NEEDS_TUNNEL",
        hint: "Run `fettle cloud tunnel` beside the server.",
      },
    );
  }
  const credential = await readCredential(app, app.db, server, caller.userId);
  const accessToken = credential?.value.tokens?.accessToken;
  const { url, headers = {} } = endpoint;
  const policy = { mode: app.config.mode, exceptions: app.config.networkExceptions };
  const timeoutMs = server.settings.timeout ?? defaultTimeoutMs;
  const open = () =>
    connect(parseTarget({ url, headers, ...(accessToken !== undefined && { accessToken }) }), {
      policy,
      timeouts: {
        connectMs: timeoutMs,
        idleMs: timeoutMs,
        totalMs: Math.max(timeoutMs, longestCallMs),
      },
      ...(server.settings.clientCapabilities && { capabilities: server.settings.clientCapabilities }),
      ...(credential && { authorize: renewing(app, server, caller.userId, credential.value, policy) }),
      recorder: new Recorder({
        limits: recorderLimits,
        secrets: [...Object.values(headers), ...(accessToken === undefined ? [] : [accessToken])],
      }),
    });
  const key = {
    projectId: server.projectId,
    serverId: server.id,
    settings: String(server.updatedAt.getTime()),
    credential: credential?.version ?? "",
  };
  try {
    return await app.connections.use(key, open, (connection) => work(connection, request.signal));
  } catch (error) {
    throw toldFailure(error);
  }
}
