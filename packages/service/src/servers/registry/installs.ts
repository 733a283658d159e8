/** @module Installing from a registry: a server row with its provenance, and nothing else. No address is looked up and no connection is opened. */

import {
  ApiError,
  type OrganizationId,
  type ProjectId,
  type RegistryCardId,
  type UserId,
} from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { maskUrl } from "@fettle/contract/secrets";
import type {
  DirectoryInput,
  DirectoryInstallRequest,
  RegistryConnection,
  RegistryInstalled,
  RegistryInstallRequest,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { missing } from "../../core/routing/not-found.ts";
import type { ServerProvenance } from "../../core/tables/servers.ts";
import { findRole } from "../../people/accounts/organizations/store.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { createServer, updateServer } from "../saved/servers.ts";
import { updateServer as updateRow } from "../saved/store.ts";
import { type CardRow, findCard } from "./card-store.ts";
import { chooseEndpoint } from "./endpoint-choice.ts";
import { type Endpoint, endpointOf, remoteAt } from "./endpoints.ts";
import { sourcesOf } from "./sources.ts";
import * as store from "./store.ts";

/** Who installs, and where. */
export interface Installing {
  app: App;
  db: Querier;
  projectId: ProjectId;
  organizationId: OrganizationId;
  userId: UserId;
  /** Also the caller's other organizations: a key reaches only its own. */
  seesOthers: boolean;
}

export async function installEntry(
  by: Installing,
  request: DirectoryInstallRequest,
): Promise<RegistryInstalled> {
  const sources = sourcesOf(by.app).map(({ name }) => name);
  const row = await store.findEntry(by.db, request.catalogServerId, sources);
  if (!row) throw notListed("catalog_server_not_found", "There is no such server in the directory.");
  if (row.removedAt) throw conflict("catalog_server_removed", "The directory has removed this server.");
  if (request.expectedContentHash !== undefined && request.expectedContentHash !== row.contentHash) {
    throw conflict("catalog_server_changed", "The entry says something else by now. Look at it again.", {
      latestContentHash: row.contentHash,
      hint: "Read the entry again and install with the hash it has now.",
    });
  }
  const endpoint = requireEndpoint(endpointOf(row.content));
  const url = chooseEndpoint(endpoint, request.endpointUrl);
  const asked = remoteAt(row.content, url)?.headers.filter(({ isRequired }) => isRequired) ?? [];
  return install(by, {
    asked,
    name: request.name ?? row.name,
    nameConflict: "server_name_conflict",
    url,
    headers: request.headers,
    provenance: {
      kind: "catalog",
      from: row.id,
      source: row.source,
      name: row.name,
      version: row.content.version,
      contentHash: row.contentHash,
      endpointKind: endpoint.endpointKind,
    },
  });
}

const unavailable = {
  package_only: ["catalog_server_not_connectable", "It is run by whoever uses it. Run it and open a tunnel."],
  address_not_allowed: ["catalog_server_not_connectable", "Its address is none that may be reached."],
  no_endpoint: ["catalog_server_missing_endpoint", "The directory knows no address of it."],
  pattern_unusable: ["endpoint_pattern_unusable", "Its address has parts that cannot be made sense of."],
} as const;

function requireEndpoint(endpoint: Endpoint): Endpoint {
  const { unavailableReason: reason } = endpoint;
  if (reason === null) return endpoint;
  const [code, message] = unavailable[reason];
  throw conflict(code, `This server cannot be installed. ${message}`, { unavailableReason: reason });
}

export async function installCard(
  by: Installing,
  request: RegistryInstallRequest,
): Promise<RegistryInstalled> {
  const card = await findOwnCard(by, request.registryServerId);
  if (card.status !== "approved") {
    throw new ApiError("FORBIDDEN", "An admin of the organization has not approved this card yet.", {
      code: "registry_server_not_approved",
    });
  }
  if (request.expectedUpdatedAt !== undefined && request.expectedUpdatedAt !== card.updatedAt.getTime()) {
    throw conflict("registry_server_changed", "The card was changed since. Look at it again.", {
      updatedAt: card.updatedAt.getTime(),
      hint: "Read the card again and install with the time it has now.",
    });
  }
  const scope = card.organizationId === null ? "global" : "organization";
  return install(by, {
    name: request.name ?? card.displayName ?? card.name,
    nameConflict: "registry_server_name_conflict",
    url: card.url,
    oauth: card,
    provenance: { kind: "registry", from: card.id, source: scope, scope, name: card.name },
  });
}

/** A card of an organization that the caller does not belong to, or not by this credential, reads as missing. */
async function findOwnCard(by: Installing, id: RegistryCardId): Promise<CardRow> {
  const card = await findCard(by.db, id);
  if (!card) throw noCard();
  const { organizationId } = card;
  if (organizationId === null || organizationId === by.organizationId) return card;
  const isKnown = by.seesOthers && (await findRole(by.db, organizationId, by.userId)) !== undefined;
  if (!isKnown) throw noCard();
  throw new ApiError("FORBIDDEN", "This card belongs to another organization than the project.", {
    code: "registry_project_org_mismatch",
  });
}

const noCard = () => notListed("registry_server_not_found", "There is no such card.");

interface Wanted {
  name: string;
  nameConflict: string;
  url: string;
  headers?: Record<string, string> | undefined;
  /** Headers that the entry asks for in every request. */
  asked?: readonly DirectoryInput[];
  oauth?: { useOAuth: boolean; oauthScopes: string[] };
  provenance: Omit<ServerProvenance, "connectionId" | "connectedAt">;
}

async function install(
  { app, db, projectId, userId }: Installing,
  wanted: Wanted,
): Promise<RegistryInstalled> {
  const { name, url, headers, asked = [], oauth, provenance: from } = wanted;
  return inTransaction(db, async (tx) => {
    await lockInstall(tx, projectId, from.from);
    const before = await store.findInstalled(tx, projectId, from.from);
    const connectedAt = app.now();
    if (before) {
      const held = openEndpoint(app.vault, before);
      if (held.url !== url) {
        throw conflict(
          "already_connected_to_different_endpoint",
          "The project has this server already, at another address. Change that one, or delete it first.",
          { serverId: before.id },
        );
      }
      const { connectionId } = must(before.provenance, "where an installed server comes from");
      const change = { enabled: true, ...(headers && { headers }) };
      await updateServer(app, tx, before, userId, change);
      const provenance = { ...from, connectionId, connectedAt };
      await updateRow(tx, before.id, { provenance, updatedAt: new Date(connectedAt) });
      const { id: serverId, name: serverName } = before;
      const missing = missingOf(asked, headers ?? held.headers);
      return { serverId, serverName, outcome: "reconnected" as const, ...missing };
    }
    const request = {
      name,
      enabled: true,
      transportType: "http" as const,
      url,
      ...(headers && { headers }),
      ...(oauth?.useOAuth && { useOAuth: true, oauthScopes: oauth.oauthScopes }),
    };
    const provenance = { ...from, connectionId: newId("registryConnection", connectedAt), connectedAt };
    const made = await createServer(app, tx, projectId, userId, request, { provenance }).catch((error) => {
      if (!(error instanceof ApiError) || error.details?.code !== "NAME_TAKEN") throw error;
      throw conflict(wanted.nameConflict, error.message, { name });
    });
    const missing = missingOf(asked, headers);
    return { serverId: made.id, serverName: made.name, outcome: "created" as const, ...missing };
  });
}

/** Without them every call would be refused, and nothing has been called yet that could tell. */
function missingOf(
  asked: readonly DirectoryInput[],
  held: Readonly<Record<string, string>> = {},
): Pick<RegistryInstalled, "missingHeaders"> {
  const names = new Set(Object.keys(held).map((name) => name.toLowerCase()));
  const missingHeaders = asked.filter(({ name }) => !names.has(name.toLowerCase()));
  return missingHeaders.length > 0 ? { missingHeaders } : {};
}

/** Two who install the same at once get one server. */
async function lockInstall(tx: Transaction, projectId: ProjectId, from: string): Promise<void> {
  await holdNameLock(tx, `registry install ${projectId} ${from}`);
}

export async function listConnections(app: App, projectId: ProjectId): Promise<RegistryConnection[]> {
  const rows = await store.listInstalled(app.db, projectId);
  return rows.flatMap((row) => {
    if (!row.provenance) return [];
    const { connectionId, kind, from, scope, endpointKind, connectedAt } = row.provenance;
    const { url } = openEndpoint(app.vault, row);
    return {
      id: connectionId,
      kind,
      ...(scope && { scope }),
      projectId,
      serverId: row.id,
      serverName: row.name,
      ...(kind === "catalog" ? { catalogServerId: from } : { registryServerId: from }),
      ...(url !== undefined && { endpointUrl: maskUrl(url) }),
      ...(endpointKind && { endpointKind }),
      connectedAt,
    };
  });
}

function conflict(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("CONFLICT", message, { code, ...details });
}

const notListed = (code: string, message: string): ApiError =>
  missing(message, "List what there is, and use the id as it is told.", { code });
