/** @module What the owner of connection requests may ask for: a new one, how far one has come, cancel, try again. */

import { createHash } from "node:crypto";
import {
  ApiError,
  limits,
  type OrganizationId,
  type ProjectId,
  type ServerConnectionId,
  type ServerId,
  type UserId,
} from "@fettle/contract/core";
import { maskUrl } from "@fettle/contract/secrets";
import {
  type ConnectionStatus,
  personStatuses,
  type ServerConnection,
  type ServerConnectionCreateBody,
} from "@fettle/contract/servers";
import { canonicalResource, checkUrl, isMcpError } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findProject } from "../../http/caller/access.ts";
import { mintToken } from "../../people/accounts/tokens.ts";
import { advance } from "./advance.ts";
import { discovered } from "./discovered.ts";
import { startDiscovery } from "./discovery.ts";
import { expireOverdue } from "./expiry.ts";
import { openPart, sealPart } from "./sealed.ts";
import * as store from "./store.ts";
import { addressOf, requireTarget } from "./target.ts";
import { isOpen } from "./transitions.ts";
import { startValidation } from "./validation.ts";

/** A key sees only what was made with a key of its organization. */
const boundTo = (caller: SignedInCaller) => (caller.kind === "key" ? caller.organizationId : null);

export async function createRequest(
  app: App,
  caller: SignedInCaller,
  body: ServerConnectionCreateBody,
  origin: string,
): Promise<ServerConnection> {
  const asked = await readAsked(app, caller, body);
  await expireOverdue(app, caller.userId);
  const { id, replaced } = await store.holdingAccount(app.db, caller.userId, (tx) =>
    takePlace(app, tx, asked),
  );
  for (const row of replaced) await stopJob(app, row);
  return toConnection(app, await discovered(app, caller.userId, id), origin);
}

/** What a request is about, checked against what the caller may see. */
interface Asked {
  userId: UserId;
  organizationId: OrganizationId | null;
  projectId: ProjectId | null;
  serverId: ServerId | null;
  name: string | null;
  url: string;
  urlHash: string;
  reauthorize: boolean;
}

async function readAsked(app: App, caller: SignedInCaller, body: ServerConnectionCreateBody): Promise<Asked> {
  const { projectId, name = null, reauthorize } = body;
  const { userId } = caller;
  const organizationId = boundTo(caller);
  if (projectId !== undefined) await findProject(app.pool, { userId, boundTo: organizationId }, projectId);
  else if (body.serverId !== undefined) {
    throw new ApiError("VALIDATION_ERROR", "Say which project the saved server is in.", {
      path: "body.projectId",
    });
  }
  const url = readAddress(await addressOf(app, projectId, body.serverId, body.url));
  const serverId = projectId === undefined ? null : await requireTarget(app, projectId, url, body.serverId);
  const urlHash = createHash("sha256").update(canonicalResource(url)).digest("hex");
  return { userId, organizationId, projectId: projectId ?? null, serverId, name, url, urlHash, reauthorize };
}

/** Under the account's lock: the open request for the same thing, or a new one in its place or in a free one. */
async function takePlace(
  app: App,
  tx: Transaction,
  asked: Asked,
): Promise<{ id: ServerConnectionId; replaced: store.RequestRow[] }> {
  const open = await store.listOpen(tx, asked.userId);
  const same = open.filter((row) => isSameThing(row, asked));
  if (same[0] && !asked.reauthorize) return { id: same[0].id, replaced: [] };
  for (const row of same) await advance(app, tx, row.id, "cancel");
  refuseTooMany(open.filter((row) => !same.includes(row)));
  const { url, ...rest } = asked;
  const { token, hash } = mintToken("connection");
  const id = newId("serverConnection", app.now());
  const now = new Date(app.now());
  const row = await store.insertRequest(tx, {
    ...rest,
    id,
    shownUrl: maskUrl(url),
    sealed: sealPart(app.vault, id, { url, handoff: token.reveal() }),
    handoffHash: hash,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(app.now() + limits.connections.lifetimeMs),
  });
  await startDiscovery(app, tx, row);
  return { id, replaced: same };
}

function isSameThing(row: store.RequestRow, asked: Asked): boolean {
  const keys = ["urlHash", "projectId", "serverId", "organizationId"] as const;
  return keys.every((key) => row[key] === asked[key]);
}

export function readAddress(text: string): string {
  try {
    const url = checkUrl(text);
    url.hash = "";
    return url.href;
  } catch (error) {
    if (!isMcpError(error)) throw error;
    throw new ApiError("VALIDATION_ERROR", error.message, { path: "body.url", code: "URL_NOT_ALLOWED" });
  }
}

function refuseTooMany(open: store.RequestRow[]): void {
  const limit = limits.connections.openPerAccount;
  if (open.length < limit) return;
  throw new ApiError(
    "CONFLICT",
    `This account has ${open.length} open connection requests. Cancel one, or wait until one has ended.`,
    { code: "ACTIVE_REQUEST_LIMIT", openRequestIds: open.map(({ id }) => id), limit },
  );
}

export async function listRequests(
  app: App,
  caller: SignedInCaller,
  query: { status: "open" | "all"; limit: number },
  origin: string,
): Promise<{ items: ServerConnection[] }> {
  await expireOverdue(app, caller.userId);
  const owner = { userId: caller.userId, organizationId: boundTo(caller) };
  const rows = await store.listRequests(app.db, owner, {
    onlyOpen: query.status === "open",
    limit: query.limit,
  });
  return { items: rows.map((row) => toConnection(app, row, origin)) };
}

/** The caller's own request; anybody else's reads as missing. */
export async function requireRequest(
  app: App,
  caller: SignedInCaller,
  id: ServerConnectionId,
): Promise<store.ShownRow> {
  await expireOverdue(app, caller.userId);
  const row = await store.findRequest(app.db, id);
  const isTheirs = row?.userId === caller.userId;
  if (!row || !isTheirs || (caller.kind === "key" && row.organizationId !== caller.organizationId)) {
    throw notFound("connectionRequest", { code: "REQUEST_NOT_FOUND" });
  }
  return row;
}

/** A request that has ended stays as it ended. */
export async function cancelRequest(
  app: App,
  row: store.ShownRow,
  origin: string,
): Promise<ServerConnection> {
  const cancelled = await app.db.transaction((tx) => advance(app, tx, row.id, "cancel"));
  if (cancelled) await stopJob(app, cancelled);
  return toConnection(app, (await store.findRequest(app.db, row.id)) ?? row, origin);
}

/** Its outcome would change nothing; a server that hangs must not keep a worker busy for a request that is over. */
async function stopJob(app: App, row: store.RequestRow): Promise<void> {
  if (row.jobId !== null) await app.jobs.cancel(row.jobId);
}

export async function retryValidation(
  app: App,
  row: store.ShownRow,
  origin: string,
): Promise<ServerConnection> {
  await moved(app, row, (tx) => startValidation(app, tx, row, "validateAgain"));
  return toConnection(app, (await store.findRequest(app.db, row.id)) ?? row, origin);
}

/** Does a step for somebody who waits for it: when the request is not where the step begins, they are told where it is. */
export async function moved(
  app: App,
  row: store.RequestRow,
  step: (tx: Transaction) => Promise<store.RequestRow | undefined>,
): Promise<store.RequestRow> {
  const done = await app.db.transaction(step);
  if (done) return done;
  throw wrongState((await store.findRequest(app.db, row.id))?.status ?? row.status);
}

export function wrongState(status: ConnectionStatus): ApiError {
  return new ApiError(
    "CONFLICT",
    `This request is ${status.replace("_", " ")}, so that cannot be done now.`,
    {
      code: status === "expired" ? "REQUEST_EXPIRED" : "INVALID_STATE",
      status,
    },
  );
}

/** As its owner is told of it; the private link goes along while nothing goes on without a person. */
export function toConnection(app: App, row: store.ShownRow, origin: string): ServerConnection {
  const handoff = personStatuses.includes(row.status) ? openPart(app.vault, row).handoff : undefined;
  return {
    ...toShown(row),
    ...(handoff !== undefined && { handoffUrl: `${origin}/connect#token=${handoff}` }),
  };
}

export function toShown(row: store.ShownRow): Omit<ServerConnection, "handoffUrl"> {
  const { id, status, projectId, serverId, serverName, serverEnabled, error } = row;
  const name = serverName ?? row.name;
  return {
    connectionRequestId: id,
    status,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.getTime(),
    ...(projectId !== null && { projectId }),
    ...(serverId !== null && { serverId }),
    server: { id: serverId, name, url: row.shownUrl, enabled: serverEnabled },
    // While it goes on, the last failed try says why it takes so long.
    ...(error !== null && (status === "failed" || isOpen(status)) && { error }),
  };
}
