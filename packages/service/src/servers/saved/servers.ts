/** @module The rules of saved servers: names are unique in a project, secrets go in and never come out. */

import {
  ApiError,
  type ExpectedUpdatedAt,
  type Page,
  type PluginVersionId,
  type ProjectId,
  type ServerId,
  type UserId,
} from "@fettle/contract/core";
import type {
  ProjectServer,
  ProjectServerCreateRequest,
  ProjectServerUpdated,
  ProjectServerUpdateRequest,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId, type WithId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { cutPage, type PageOrWhole, rangeOf, readPlace, writeCursor } from "../../core/routing/page.ts";
import type { ServerProvenance } from "../../core/tables/servers.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { detachServer } from "../clients/clients.ts";
import * as tunnels from "../relay/store.ts";
import { onlyImage, requireImageFor } from "./chosen-image.ts";
import { openEndpoint, sealEndpoint } from "./endpoint.ts";
import { afterChange, asEntered, forTransport } from "./entrusted.ts";
import {
  issuerChanged,
  nameTaken,
  requireTarget,
  sharedServer,
  split,
  toServer,
  xaaFields,
} from "./saved.ts";
import * as store from "./store.ts";
import { wholeAddress } from "./unmasked-address.ts";

export async function listServers(
  app: App,
  projectId: ProjectId,
  { cursor, limit }: PageOrWhole,
): Promise<Page<ProjectServer>> {
  const rows = await store.listServers(app.db, projectId, rangeOf(readPlace<"server">(cursor), limit));
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.updatedAt, last.id));
  return { items: shown.map((row) => toServer(app.vault, row)), ...next };
}

export async function createServer(
  app: App,
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
  request: ProjectServerCreateRequest,
  {
    pluginVersionId = null,
    tunnelHeldBy,
    provenance = null,
  }: {
    /** The plugin version it is a part of, and is changed with. */
    pluginVersionId?: PluginVersionId | null;
    /** The address is a tunnel's, and this person's machine is behind it. */
    tunnelHeldBy?: string;
    provenance?: ServerProvenance | null;
  } = {},
): Promise<WithId<"server", ProjectServer>> {
  const id = newId("server", app.now());
  const { name, enabled, transportType, ...rest } = request;
  const { endpoint, settings } = split(rest);
  if (endpoint.url !== undefined) endpoint.url = wholeAddress(endpoint.url, undefined);
  if (tunnelHeldBy !== undefined) endpoint.tunnelHeldBy = tunnelHeldBy;
  await requireImageFor(db, projectId, transportType, settings);
  Object.assign(settings, await onlyImage(db, projectId, transportType, settings));
  const now = new Date(app.now());
  return toServer(
    app.vault,
    await refusingTakenName(name, () =>
      inTransaction(db, async (tx) => {
        const row = await store.insertServer(tx, {
          id,
          projectId,
          name,
          enabled,
          transportType,
          settings,
          sealed: sealEndpoint(
            app.vault,
            id,
            forTransport(transportType, asEntered(endpoint, settings, userId)),
          ),
          createdBy: userId,
          pluginVersionId,
          provenance,
          createdAt: now,
          updatedAt: now,
        });
        await announceInProject(app, tx, projectId, "servers");
        return row;
      }),
    ),
  );
}

/** `tunnelHeldBy`: as when one is made. */
export async function updateServer(
  app: App,
  db: Querier,
  row: store.ServerRow,
  userId: UserId,
  request: ProjectServerUpdateRequest,
  { tunnelHeldBy }: { tunnelHeldBy?: string } = {},
): Promise<WithId<"server", ProjectServerUpdated>> {
  refusePluginManaged(row);
  const { name, enabled, transportType, clearClientSecret, clearXaaConfig, expectedUpdatedAt, ...rest } =
    request;
  const sent = split(rest);
  if (tunnelHeldBy !== undefined) sent.endpoint.tunnelHeldBy = tunnelHeldBy;
  const written = await refusingTakenName(name ?? row.name, () =>
    inTransaction(db, async (tx) => {
      // As it is by now: what another writer has just moved must not be put back together from two halves.
      const held = await store.holdServer(tx, row.id);
      if (!held) return undefined;
      const updatedAt = nextUpdate(app, held, expectedUpdatedAt, sharedServer);
      const before = { ...held, endpoint: openEndpoint(app.vault, held) };
      if (sent.endpoint.url !== undefined) {
        sent.endpoint.url = wholeAddress(sent.endpoint.url, before.endpoint.url);
      }
      const change = { ...sent, transportType: transportType ?? held.transportType };
      const after = afterChange(before, change, userId);
      const { endpoint, settings } = after;
      await requireImageFor(tx, row.projectId, after.transportType, sent.settings);
      if (after.transportType === "http") delete settings.sandboxImageId;
      if (clearClientSecret) delete endpoint.clientSecret;
      if (clearXaaConfig) for (const field of xaaFields) delete settings[field];
      requireTarget(after.transportType, endpoint);
      const dropped = [...after.dropped.filter((kind) => kind !== "clientSecret" || !clearClientSecret)];
      if (after.hasMoved && (await store.dropCredentials(tx, row.id))) dropped.push("tokens");
      await announceInProject(app, tx, row.projectId, "servers");
      const updated = await store.updateServer(tx, row.id, {
        ...(name !== undefined && { name }),
        ...(enabled !== undefined && { enabled }),
        transportType: after.transportType,
        settings,
        sealed: sealEndpoint(app.vault, row.id, endpoint),
        updatedAt,
      });
      return updated && { ...toServer(app.vault, updated), credentialsDropped: dropped };
    }),
  );
  if (!written) throw notFound("server");
  return written;
}

/**
 * Keeps who was asked for tokens with the client's secret, and refuses everybody else from then on: a server that
 * names another authorization server, or a path of its origin that somebody else fills, must not learn it. Which one
 * is the first is said by whoever entered the secret, on the page that names it; the server's word alone is not enough.
 */
export async function pinClientSecret(
  app: App,
  row: store.ServerRow,
  { issuer, userId }: { issuer: string; userId: UserId },
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const held = await store.holdServer(tx, row.id);
    if (!held) throw notFound("server");
    const endpoint = openEndpoint(app.vault, held);
    if (endpoint.clientSecret === undefined || endpoint.clientSecretIssuer === issuer) return;
    if (endpoint.clientSecretIssuer !== undefined) {
      throw issuerChanged(endpoint.clientSecretIssuer, issuer);
    }
    if (endpoint.clientSecretBy !== userId) {
      throw new ApiError(
        "CONFLICT",
        "The client secret of this server has not been used yet, and you did not enter it. Nothing was sent.",
        {
          code: "ISSUER_UNCONFIRMED",
          now: issuer,
          hint: "Let the person who entered it connect first, or enter it anew: whoever does says that it belongs to this authorization server.",
        },
      );
    }
    const sealed = sealEndpoint(app.vault, row.id, { ...endpoint, clientSecretIssuer: issuer });
    await store.updateServer(tx, row.id, { sealed, updatedAt: held.updatedAt });
  });
}

/** The row stays, without its secrets, for the runs and groups that name it; clients that used it let go of it. */
export async function deleteServer(
  app: App,
  db: Querier,
  row: store.ServerRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: ServerId; projectId: ProjectId; deleted: true }> {
  refusePluginManaged(row);
  await inTransaction(db, async (tx) => {
    requireAsRead(await store.holdServer(tx, row.id), expectedUpdatedAt, sharedServer);
    await eraseServer(app, tx, row);
    await detachServer(app, tx, row.projectId, row.id);
    await announceInProject(app, tx, row.projectId, "servers");
  });
  return { id: row.id, projectId: row.projectId, deleted: true };
}

/** Marks it as gone and forgets its secrets. A machine that holds its tunnel open is told. */
export async function eraseServer(app: App, db: Querier, row: store.ServerRow): Promise<void> {
  const now = new Date(app.now());
  const sealed = sealEndpoint(app.vault, row.id, {});
  await store.updateServer(db, row.id, { sealed, deletedAt: now, updatedAt: now });
  if (await tunnels.closeTunnel(db, row.id, now)) {
    await tunnels.announce(db, row.id);
  }
}

function refusePluginManaged({ pluginVersionId }: store.ServerRow): void {
  if (pluginVersionId === null) return;
  throw new ApiError("CONFLICT", "This server is part of a plugin and changes with it.", {
    code: "PLUGIN_MANAGED",
    pluginVersionId,
  });
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, "servers_name")) throw error;
    throw nameTaken(name);
  }
}
