/** @module Reaching the server of a request: with what the saved server sends, and the credential the owner has or has just got. */
import {
  type Authorize,
  authorizeWith,
  type Connection,
  canonicalResource,
  connect,
  createHttpClient,
  parseTarget,
  Recorder,
  type StoredCredential,
  secretsOf,
} from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { readCredential, renewing } from "../live/credentials.ts";
import { secretsOfCredential } from "../live/stored-credential.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { findServer, type ServerRow } from "../saved/store.ts";
import { openPart, type SealedPart, sealPart } from "./sealed.ts";
import { type RequestRow, reseal } from "./store.ts";

const timeouts = { connectMs: 20_000, idleMs: 20_000, totalMs: 40_000 };
/** Nobody reads the recording of a server that is not saved yet. */
const recorderLimits = { entries: 50, bytes: 64 * 1024, textBytes: 4 * 1024 };

/** Metadata is looked for in the order of the last revision that needs a session; the servers' own setting wins. */
export const defaultOauthVersion = "2025-11-25";

/**
 * The saved server that a request is about, while it is where the request goes. One that has moved since is somebody
 * else: its headers and its client's secret were entrusted to its new address, not to the one that was asked for.
 */
export async function savedServer(app: App, row: RequestRow): Promise<ServerRow | undefined> {
  if (!row.projectId || !row.serverId) return undefined;
  const server = await findServer(app.db, row.projectId, row.serverId);
  const url = server && openEndpoint(app.vault, server).url;
  const asked = openPart(app.vault, row).url;
  return url !== undefined && canonicalResource(url) === canonicalResource(asked) ? server : undefined;
}

/** Connects as the request's owner, or throws an McpError. */
export async function reach(app: App, row: RequestRow, signal: AbortSignal): Promise<Connection> {
  const part = openPart(app.vault, row);
  const server = await savedServer(app, row);
  const headers = (server && openEndpoint(app.vault, server).headers) ?? {};
  const { credential, authorize } = part.credential
    ? { credential: part.credential, authorize: renewingPending(app, row, part, part.credential) }
    : await storedCredential(app, row, server);
  const accessToken = credential?.tokens?.accessToken;
  const target = parseTarget({ url: part.url, headers, ...(accessToken && { accessToken }) });
  return connect(target, {
    policy: networkPolicy(app),
    timeouts,
    signal,
    ...(authorize && { authorize }),
    recorder: new Recorder({
      limits: recorderLimits,
      secrets: [...secretsOf(target), ...secretsOfCredential(credential)],
    }),
  });
}

interface Held {
  credential?: StoredCredential;
  authorize?: Authorize;
}

/** What the owner got for the server earlier, unless they asked to be asked anew. */
async function storedCredential(app: App, row: RequestRow, server: ServerRow | undefined): Promise<Held> {
  if (!server || row.reauthorize) return {};
  const credential = await readCredential(app, app.db, server, row.userId);
  if (!credential) return {};
  return { credential, authorize: renewing(app, server, row.userId, credential, networkPolicy(app)) };
}

/** Tokens may lapse while a server is slow to become well; only this request's own job renews them. */
function renewingPending(
  app: App,
  row: RequestRow,
  part: SealedPart,
  credential: StoredCredential,
): Authorize {
  return authorizeWith({
    http: async () => createHttpClient({ policy: networkPolicy(app) }),
    serverUrl: part.url,
    protocolVersion: defaultOauthVersion,
    credential,
    save: (renewed) => reseal(app.db, row.id, sealPart(app.vault, row.id, { ...part, credential: renewed })),
  });
}
