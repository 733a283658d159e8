/** @module What may be run against: servers, clients and environments of its project, by id or name. */
import type { ClientId, EnvironmentId, ProjectId, ServerId } from "@fettle/contract/core";
import type { EvalSuiteUpdateRequest } from "@fettle/contract/evals";
import { and, eq, inArray } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { environments, unarchived } from "../../core/tables/environments.ts";
import { liveServer, ownServer, servers } from "../../core/tables/servers.ts";
import { findClient, findClientsNamed } from "../../servers/clients/store.ts";
import { refused } from "./refuse.ts";

export interface NamedServer {
  id: ServerId;
  name: string;
}

/** In the order asked for. An id is tried before a name, so that a server called like another's id hides nothing. */
export async function findServers(
  db: Querier,
  projectId: ProjectId,
  wanted: readonly string[],
  path: string,
): Promise<NamedServer[]> {
  if (wanted.length === 0) return [];
  const known = await db
    .select({ id: servers.id, name: servers.name })
    .from(servers)
    .where(and(eq(servers.projectId, projectId), liveServer, ownServer));
  const found = wanted.map((text) => pickServer(known, text, path));
  const unknown = wanted.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) {
    const message = `There is no saved server ${JSON.stringify(unknown[0])} in this project.`;
    throw refused("VALIDATION_ERROR", "UNKNOWN_SERVERS", message, { path, unknownServers: unknown });
  }
  const list = found.flatMap((server) => server ?? []);
  requireOnce(
    list.map(({ id }) => id),
    path,
  );
  return list;
}

/** As it is written, else in any case. Letters that the database keeps apart may be one letter here. */
function pickServer(known: readonly NamedServer[], wanted: string, path: string): NamedServer | undefined {
  const exact = known.find(({ id }) => id === wanted) ?? known.find(({ name }) => name === wanted);
  if (exact) return exact;
  const name = wanted.toLowerCase();
  const [named, ...others] = known.filter((server) => server.name.toLowerCase() === name);
  if (others.length === 0) return named;
  const message = `Several servers are called ${JSON.stringify(wanted)}: name one by its id.`;
  throw refused("VALIDATION_ERROR", "AMBIGUOUS_SERVER", message, {
    path,
    candidateIds: [named, ...others].flatMap((one) => one?.id ?? []),
  });
}

export async function findHosts(
  db: Querier,
  projectId: ProjectId,
  wanted: NonNullable<EvalSuiteUpdateRequest["hosts"]>,
): Promise<{ clientId: ClientId; serverIds: ServerId[] | null }[]> {
  const hosts: { clientId: ClientId; serverIds: ServerId[] | null }[] = [];
  for (const [index, { host, servers: chosen }] of wanted.entries()) {
    const path = `body.hosts.${index}`;
    const serverIds =
      chosen === undefined
        ? null
        : (await findServers(db, projectId, chosen, `${path}.servers`)).map(({ id }) => id);
    hosts.push({ clientId: await findHost(db, projectId, host, `${path}.host`), serverIds });
  }
  requireOnce(
    hosts.map(({ clientId }) => clientId),
    "body.hosts",
  );
  return hosts;
}

async function findHost(db: Querier, projectId: ProjectId, wanted: string, path: string): Promise<ClientId> {
  // Any text may be looked up as an id.
  const byId = await findClient(db, { projectId, id: wanted as ClientId });
  if (byId) return byId.id;
  const [named, ...others] = await findClientsNamed(db, { projectId, name: wanted });
  if (!named) {
    const message = `There is no client ${JSON.stringify(wanted)} in this project.`;
    throw refused("VALIDATION_ERROR", "UNKNOWN_HOSTS", message, { path, unknownHosts: [wanted] });
  }
  if (others.length > 0) {
    const message = `Several clients are called ${JSON.stringify(wanted)}: name one by its id.`;
    const candidateIds = [named, ...others].map(({ id }) => id);
    throw refused("VALIDATION_ERROR", "AMBIGUOUS_HOST", message, { path, candidateIds });
  }
  return named.id;
}

export async function requireEnvironments(
  db: Querier,
  projectId: ProjectId,
  ids: readonly EnvironmentId[],
  path: string,
): Promise<void> {
  requireOnce(ids, path);
  const rows = await db
    .select({ id: environments.id })
    .from(environments)
    .where(and(eq(environments.projectId, projectId), inArray(environments.id, [...ids]), unarchived));
  const live = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !live.has(id));
  if (unknown.length > 0) {
    const message = `There is no live environment ${unknown[0]} in this project.`;
    throw refused("VALIDATION_ERROR", "UNKNOWN_ENVIRONMENTS", message, {
      path,
      unknownEnvironmentIds: unknown,
    });
  }
}

export async function requireClients(
  db: Querier,
  projectId: ProjectId,
  ids: readonly ClientId[],
  path: string,
): Promise<void> {
  requireOnce(ids, path);
  for (const id of ids) {
    if (await findClient(db, { projectId, id })) continue;
    throw refused("VALIDATION_ERROR", "UNKNOWN_HOSTS", `There is no client ${id} in this project.`, {
      path,
      unknownHosts: [id],
    });
  }
}

function requireOnce(ids: readonly string[], path: string): void {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw refused("VALIDATION_ERROR", "NAMED_TWICE", `${twice} is named twice.`, { path });
}
