/** @module The rules of saved servers: names are unique in a project, secrets go in and never come out. */
import {
  ApiError,
  idPrefixes,
  type ProjectServer,
  type ProjectServerCreateRequest,
  type ProjectServerUpdateRequest,
  tunnelClose,
} from "@fettle/contract";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import { detachServer } from "../clients/clients.ts";
import { inTransaction } from "../db/in-transaction.ts";
import type { Querier } from "../db/pool.ts";
import { isUniqueViolation } from "../db/unique-violation.ts";
import { newId } from "../id.ts";
import * as tunnels from "../tunnels/store.ts";
import { maskUrl, openEndpoint, type ServerEndpoint, sealEndpoint } from "./endpoint.ts";
import * as store from "./store.ts";
import type { ServerSettings } from "./tables.ts";

/** Which fields of a request are sealed; the rest may be shown. */
const sealedFields = ["url", "headers", "command", "args", "env", "clientSecret"] as const;
const xaaFields = [
  "useXaa",
  "xaaAuthzIssuer",
  "xaaAllowPathScopedIssuer",
  "xaaSubject",
  "xaaEmail",
  "xaaIdentityAssertionFormat",
  "xaaClientAuth",
] as const;

export async function listServers(app: App, projectId: string): Promise<ProjectServer[]> {
  const rows = await store.listServers(app.db, projectId);
  return rows.map((row) => toServer(app, row));
}

export async function createServer(
  app: App,
  db: Querier,
  projectId: string,
  userId: string,
  request: ProjectServerCreateRequest,
  /** The plugin version it is a part of, and is changed with. */
  pluginVersionId: string | null = null,
): Promise<ProjectServer> {
  const id = newId(idPrefixes.server, app.now());
  const { name, enabled, transportType, ...rest } = request;
  const { endpoint, settings } = split(rest);
  const now = new Date(app.now());
  return toServer(
    app,
    await refusingTakenName(name, () =>
      inTransaction(db, async (tx) => {
        const row = await store.insertServer(tx, {
          id,
          projectId,
          name,
          enabled,
          transportType,
          settings,
          sealed: sealEndpoint(app.vault, id, forTransport(transportType, endpoint)),
          createdBy: userId,
          pluginVersionId,
          createdAt: now,
          updatedAt: now,
        });
        await announceInProject(app, tx, projectId, "servers");
        return row;
      }),
    ),
  );
}

export async function updateServer(
  app: App,
  db: Querier,
  row: store.ServerRow,
  request: ProjectServerUpdateRequest,
): Promise<ProjectServer> {
  refusePluginManaged(row);
  const {
    name,
    enabled,
    transportType = row.transportType,
    clearClientSecret,
    clearXaaConfig,
    ...rest
  } = request;
  const { endpoint, settings } = split(rest);
  const merged = forTransport(transportType, { ...openEndpoint(app.vault, row), ...endpoint });
  if (clearClientSecret) delete merged.clientSecret;
  const kept: ServerSettings = { ...row.settings, ...settings };
  if (clearXaaConfig) for (const field of xaaFields) delete kept[field];
  requireTarget(transportType, merged);
  const updated = await refusingTakenName(name ?? row.name, () =>
    inTransaction(db, async (tx) => {
      await announceInProject(app, tx, row.projectId, "servers");
      return store.updateServer(tx, row.id, {
        ...(name !== undefined && { name }),
        ...(enabled !== undefined && { enabled }),
        transportType,
        settings: kept,
        sealed: sealEndpoint(app.vault, row.id, merged),
        updatedAt: new Date(app.now()),
      });
    }),
  );
  if (!updated) throw new ApiError("NOT_FOUND", "There is no such server in this project.");
  return toServer(app, updated);
}

/** The row stays, without its secrets, for the runs and groups that name it; clients that used it let go of it. */
export async function deleteServer(
  app: App,
  db: Querier,
  row: store.ServerRow,
): Promise<{ id: string; deleted: true }> {
  refusePluginManaged(row);
  await inTransaction(db, async (tx) => {
    await eraseServer(app, tx, row);
    await detachServer(app, tx, row.projectId, row.id);
    await announceInProject(app, tx, row.projectId, "servers");
  });
  return { id: row.id, deleted: true };
}

/** Marks it as gone and forgets its secrets. A machine that holds its tunnel open is told. */
export async function eraseServer(app: App, db: Querier, row: store.ServerRow): Promise<void> {
  const now = new Date(app.now());
  const sealed = sealEndpoint(app.vault, row.id, {});
  await store.updateServer(db, row.id, { sealed, deletedAt: now, updatedAt: now });
  if (await tunnels.closeTunnel(db, row.id, now)) {
    await tunnels.announce(db, { serverId: row.id, code: tunnelClose.revoked });
  }
}

function refusePluginManaged({ pluginVersionId }: store.ServerRow): void {
  if (pluginVersionId === null) return;
  throw new ApiError("CONFLICT", "This server is part of a plugin and changes with it.", {
    code: "PLUGIN_MANAGED",
    pluginVersionId,
  });
}

export function toServer(app: App, row: store.ServerRow): ProjectServer {
  const endpoint = openEndpoint(app.vault, row);
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    enabled: row.enabled,
    transportType: row.transportType,
    url: endpoint.url ? maskUrl(endpoint.url) : null,
    useOAuth: row.settings.useOAuth ?? false,
    hasClientSecret: endpoint.clientSecret !== undefined,
    headerNames: Object.keys(endpoint.headers ?? {}),
    oauthScopes: row.settings.oauthScopes ?? [],
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

function split(fields: ServerEndpoint & ServerSettings): {
  endpoint: ServerEndpoint;
  settings: ServerSettings;
} {
  const isSealed = (key: string) => sealedFields.some((field) => field === key);
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    endpoint: Object.fromEntries(entries.filter(([key]) => isSealed(key))),
    settings: Object.fromEntries(entries.filter(([key]) => !isSealed(key))),
  };
}

/** A server that changes its transport must not keep the other one's command or headers, secrets included. */
function forTransport(transportType: "stdio" | "http", endpoint: ServerEndpoint): ServerEndpoint {
  const { url, headers, command, args, env, clientSecret } = endpoint;
  return transportType === "http"
    ? { ...(url && { url }), ...(headers && { headers }), ...(clientSecret && { clientSecret }) }
    : { ...(command && { command }), ...(args && { args }), ...(env && { env }) };
}

function requireTarget(transportType: "stdio" | "http", endpoint: ServerEndpoint): void {
  const field = transportType === "http" ? "url" : "command";
  if (endpoint[field]) return;
  throw new ApiError("VALIDATION_ERROR", `A server over ${transportType} needs its ${field}.`, {
    path: `body.${field}`,
  });
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, "servers_name")) throw error;
    throw new ApiError("CONFLICT", `The project already has a server called ${JSON.stringify(name)}.`, {
      code: "NAME_TAKEN",
      name,
    });
  }
}
