/** @module The rules of clients: configs are content-addressed, and a change names what its author last read. */

import { isDeepStrictEqual } from "node:util";
import {
  ApiError,
  type ClientId,
  type ExpectedUpdatedAt,
  idOf,
  type ProjectId,
  type ServerId,
  type UserId,
} from "@fettle/contract/core";
import type {
  Client,
  ClientCreateRequest,
  ClientDeleteRequest,
  ClientDetail,
  ClientImpact,
  ClientServersRequest,
  ClientUpdateRequest,
} from "@fettle/contract/environments";
import { canonicalJson, must } from "@fettle/contract/formats";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId, type WithId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { authorOf } from "../../people/accounts/author.ts";
import { findLiveServers } from "../groups/store.ts";
import {
  changeConfig,
  configIdOf,
  type ResolvedConfig,
  resolveConfig,
  serversOf,
  withServers,
} from "./config.ts";
import * as store from "./store.ts";
import { configFromTemplate } from "./templates.ts";

export async function listClients(db: Querier, sought: store.Sought): Promise<Client[]> {
  const rows = await store.listClients(db, sought);
  const uses = await store.countUses(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...sharedFields(row),
    hostStyle: row.hostStyle,
    modelId: row.modelId,
    serverCount: row.serverCount,
    impact: impactOf(uses.get(row.id)),
  }));
}

/** By id, else by name in any case; several of one name are for the caller to tell apart. */
export async function findClient(
  db: Querier,
  sought: store.Sought & { idOrName: string },
): Promise<store.DetailedClientRow | undefined> {
  // Tried as an id first: what is nobody's id may still be a name.
  const byId = await store.findClient(db, { ...sought, id: idOf<"client">().parse(sought.idOrName) });
  if (byId) return byId;
  const named = await store.findClientsNamed(db, { ...sought, name: sought.idOrName });
  if (named.length <= 1) return named[0];
  throw new ApiError("CONFLICT", `Several clients are called ${JSON.stringify(sought.idOrName)}.`, {
    code: "AMBIGUOUS_NAME",
    candidateIds: named.map(({ id }) => id),
  });
}

export async function createClient(
  app: App,
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
  request: ClientCreateRequest,
): Promise<WithId<"client", ClientDetail>> {
  const config = request.template
    ? await configFromTemplate(request.template, request.theme)
    : resolveConfig(must(request.config, "the settings of a client without a template"));
  return inTransaction(db, (tx) => addClient(app, tx, projectId, userId, request.name, config));
}

/** The copy points at the very config of its source. */
export async function duplicateClient(
  app: App,
  db: Querier,
  userId: UserId,
  source: store.DetailedClientRow,
  name = `${source.name} (copy)`,
): Promise<ClientDetail> {
  const config = readConfig(source);
  return inTransaction(db, (tx) => addClient(app, tx, source.projectId, userId, name, config));
}

export async function updateClient(
  app: App,
  db: Querier,
  userId: UserId,
  client: store.DetailedClientRow,
  request: ClientUpdateRequest,
): Promise<ClientDetail> {
  return changeClient(app, db, userId, client.id, request, (current) => ({
    ...(request.name !== undefined && { name: request.name }),
    ...(request.config && { config: resolveConfig(request.config) }),
    ...(request.set && { config: changeConfig(current, request.set) }),
  }));
}

export async function setServers(
  app: App,
  db: Querier,
  userId: UserId,
  client: store.DetailedClientRow,
  request: Omit<ClientServersRequest, "expectedConfigId"> & { expectedConfigId?: string },
): Promise<ClientDetail> {
  const { serverIds, optionalServerIds = [] } = request;
  return changeClient(app, db, userId, client.id, request, (current) => ({
    config: withServers(current, { serverIds, optionalServerIds }),
  }));
}

export async function deleteClient(
  app: App,
  db: Querier,
  project: Pick<ProjectContext, "isAdmin">,
  client: store.DetailedClientRow,
  { force = false, expectedUpdatedAt }: ClientDeleteRequest,
): Promise<{ id: ClientId; projectId: ProjectId; deleted: true }> {
  return inTransaction(db, async (tx) => {
    requireAsRead(await lockOrMissing(tx, client.id), expectedUpdatedAt, sharedClient);
    const impact = await readImpact(tx, client.id);
    const isUsed = Object.values(impact).some((total) => total > 0);
    if (isUsed && !force) {
      throw new ApiError("CONFLICT", "Something still refers to this client.", {
        code: "CLIENT_IN_USE",
        impact,
      });
    }
    // Only an admin may change an environment, and without its client it cannot run.
    if (isUsed && !project.isAdmin) {
      throw new ApiError(
        "FORBIDDEN",
        "Deleting a client that is in use needs the role admin in the project.",
        {
          reason: "role_too_low",
          requiredRole: "admin",
          hint: "Ask a project admin to delete it, or to give what refers to it another client.",
          impact,
        },
      );
    }
    const now = new Date(app.now());
    await store.updateClient(tx, client.id, { deletedAt: now, updatedAt: now });
    await announceInProject(app, tx, client.projectId, "clients");
    return { id: client.id, projectId: client.projectId, deleted: true };
  });
}

/** A deleted server leaves the configs that were attached to it; each client moves on to a new config. */
export async function detachServer(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  serverId: ServerId,
): Promise<void> {
  const others = (ids: ServerId[]) => ids.filter((id) => id !== serverId);
  for (const row of await store.lockClientsOfServer(tx, projectId, serverId)) {
    const config = readConfig(row);
    const next = withServers(config, {
      serverIds: others(config.serverIds),
      optionalServerIds: others(config.optionalServerIds),
    });
    const configId = await keepConfig(app, tx, projectId, next);
    await store.updateClient(tx, row.id, {
      configId,
      updatedAt: nextUpdate(app, row, undefined, sharedClient),
    });
  }
}

export async function readClient(
  db: Querier,
  row: store.DetailedClientRow,
): Promise<WithId<"client", ClientDetail>> {
  return { ...sharedFields(row), config: readConfig(row), impact: await readImpact(db, row.id) };
}

export function readConfig(row: { config: string }): ResolvedConfig {
  // Only `keepConfig` writes the column.
  return JSON.parse(row.config) as ResolvedConfig;
}

interface Expectations {
  expectedName?: string | undefined;
  expectedConfigId?: string | undefined;
  expectedUpdatedAt?: ExpectedUpdatedAt | undefined;
  expectedImpact?: ClientImpact | undefined;
}

async function changeClient(
  app: App,
  db: Querier,
  userId: UserId,
  id: ClientId,
  expected: Expectations,
  change: (current: ResolvedConfig) => { name?: string; config?: ResolvedConfig },
): Promise<ClientDetail> {
  return inTransaction(db, async (tx) => {
    const row = await lockOrMissing(tx, id);
    const updatedAt = nextUpdate(app, row, expected.expectedUpdatedAt, sharedClient);
    await holdToExpectations(tx, row, expected);
    const current = readConfig(row);
    const { name = row.name, config = current } = change(current);
    const isSame = canonicalJson(config) === canonicalJson(current);
    if (isSame && name === row.name) return readClient(tx, row);
    if (!isSame) await requireServers(tx, row.projectId, config);
    const configId = isSame ? row.configId : await keepConfig(app, tx, row.projectId, config);
    await store.updateClient(tx, id, { name, configId, updatedAt, updatedBy: userId });
    await announceInProject(app, tx, row.projectId, "clients");
    return readClient(tx, await lockOrMissing(tx, id));
  });
}

async function addClient(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  userId: UserId,
  name: string,
  config: ResolvedConfig,
): Promise<WithId<"client", ClientDetail>> {
  await requireServers(tx, projectId, config);
  const id = newId("client", app.now());
  const now = new Date(app.now());
  const configId = await keepConfig(app, tx, projectId, config);
  await store.insertClient(tx, {
    id,
    projectId,
    name,
    configId,
    createdBy: userId,
    updatedBy: userId,
    createdAt: now,
    updatedAt: now,
  });
  await announceInProject(app, tx, projectId, "clients");
  return readClient(tx, await lockOrMissing(tx, id));
}

async function keepConfig(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  config: ResolvedConfig,
): Promise<string> {
  const id = configIdOf(config);
  const serverIds = serversOf(config);
  await store.keepConfig(tx, {
    projectId,
    id,
    config: canonicalJson(config),
    modelId: config.modelId,
    serverIds,
    serverCount: serverIds.length,
    hasComputer: config.computer !== undefined,
    createdAt: new Date(app.now()),
  });
  return id;
}

async function requireServers(tx: Transaction, projectId: ProjectId, config: ResolvedConfig): Promise<void> {
  const ids = serversOf(config);
  if (ids.length === 0) return;
  const known = new Set((await findLiveServers(tx, projectId, ids)).map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw new ApiError("VALIDATION_ERROR", "Not every server is a saved server of this project.", {
    code: "UNKNOWN_SERVERS",
    unknownServerIds: unknown,
  });
}

const sharedClient = { what: "The client", code: "CLIENT_CHANGED" };

async function holdToExpectations(
  tx: Transaction,
  row: store.DetailedClientRow,
  expected: Expectations,
): Promise<void> {
  if (expected.expectedName !== undefined && expected.expectedName !== row.name) {
    throw stale("STALE_NAME", "renamed", { currentName: row.name });
  }
  if (expected.expectedConfigId !== undefined && expected.expectedConfigId !== row.configId) {
    throw stale("STALE_CONFIG_ID", "changed", { currentConfigId: row.configId });
  }
  if (expected.expectedImpact === undefined) return;
  const impact = await readImpact(tx, row.id);
  if (!isDeepStrictEqual({ ...expected.expectedImpact }, { ...impact })) {
    throw stale("STALE_IMPACT", "put to other uses", { impact });
  }
}

function stale(code: string, what: string, current: Record<string, unknown>): ApiError {
  return new ApiError("CONFLICT", `The client was ${what} since you last read it. Read it again.`, {
    code,
    ...current,
  });
}

async function readImpact(db: Querier, clientId: ClientId): Promise<ClientImpact> {
  return impactOf((await store.countUses(db, [clientId])).get(clientId));
}

/** Journeys are not built, so none can refer to a client yet. */
function impactOf({ live, published } = { live: 0, published: 0 }): ClientImpact {
  return { liveEnvironmentCount: live, scenarioAttachmentCount: published, activeLegacyJourneyCount: 0 };
}

async function lockOrMissing(tx: Transaction, id: ClientId): Promise<store.DetailedClientRow> {
  const row = await store.lockClient(tx, id);
  if (!row) throw notFound("client");
  return row;
}

function sharedFields(row: store.ClientRow) {
  return {
    id: row.id,
    name: row.name,
    configId: row.configId,
    ownerScope: row.ownerScope,
    hasComputer: row.hasComputer,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    updatedBy: authorOf(row),
  };
}
