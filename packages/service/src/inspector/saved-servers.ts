/** @module The servers a person has entered, in a file of their own: what may be a credential is sealed, and what starts a process is approved. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { ApiError, type ServerId } from "@fettle/contract/core";
import { inspectorLimits } from "@fettle/contract/inspector";
import type {
  DroppedCredential,
  ProjectServerCreateRequest,
  ProjectServerUpdateRequest,
} from "@fettle/contract/servers";
import { z } from "zod";
import { newId } from "../core/id.ts";
import { nextUpdate } from "../core/routing/as-read.ts";
import { createTurns } from "../core/turns.ts";
import type { Vault } from "../core/vault/vault.ts";
import { openEndpoint, type ServerEndpoint, sealEndpoint } from "../servers/saved/endpoint.ts";
import { afterChange, asEntered, forTransport } from "../servers/saved/entrusted.ts";
import {
  issuerChanged,
  nameTaken,
  requireTarget,
  type ShownRow,
  sharedServer,
  split,
  xaaFields,
} from "../servers/saved/saved.ts";
import { wholeAddress } from "../servers/saved/unmasked-address.ts";
import { readText, writePrivate } from "./files.ts";
import { localProjectId, localUserId } from "./local-place.ts";

export interface LocalServer extends ShownRow {
  /** What a person has agreed to start; another command asks anew. */
  approved: string | null;
  /** That command as it stood, sealed like the one that stands now: its words may hold a credential. */
  approvedCommand: string | null;
  /** Of the shop in the inspector's own process. */
  isSample: boolean;
}

/** What would be started, as a person is shown it. */
export interface CommandLine {
  command: string;
  args: string[];
  envNames: string[];
}

const Row = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  transportType: z.enum(["stdio", "http"]),
  settings: z.record(z.string(), z.unknown()),
  sealed: z.string(),
  approved: z.string().nullable(),
  approvedCommand: z.string().nullable().default(null),
  isSample: z.boolean().default(false),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const File = z.object({ version: z.literal(1), servers: z.array(Row) });

export interface SavedServers {
  /** Nobody has ever saved one here. */
  isFirstTime(): boolean;
  list(): LocalServer[];
  find(id: string): LocalServer | undefined;
  endpointOf(server: LocalServer): ServerEndpoint;
  isApproved(server: LocalServer): boolean;
  commandOf(server: LocalServer): CommandLine;
  /** The command that was approved last. */
  approvedCommandOf(server: LocalServer): CommandLine | null;
  create(request: ProjectServerCreateRequest, isSample?: boolean): Promise<LocalServer>;
  update(
    server: LocalServer,
    request: ProjectServerUpdateRequest,
    isSample?: boolean,
  ): Promise<{ server: LocalServer; dropped: DroppedCredential[] }>;
  approve(server: LocalServer): Promise<LocalServer>;
  /** The client's secret is this issuer's from now on; refused where it is another's. */
  pinSecret(server: LocalServer, issuer: string): Promise<void>;
  remove(server: LocalServer): Promise<void>;
}

export async function openSavedServers(folder: string, vault: Vault): Promise<SavedServers> {
  const path = join(folder, "servers.json");
  const inTurn = createTurns();
  const kept = await read(path);
  let rows = kept ?? [];
  let isFirstTime = kept === undefined;

  const change = (make: () => LocalServer[]) =>
    inTurn(async () => {
      const next = make();
      const servers = next.map(({ projectId: _p, provenance: _f, ...row }) => row);
      await writePrivate(path, `${JSON.stringify({ version: 1, servers }, null, 2)}\n`);
      rows = next;
      isFirstTime = false;
    });
  const replace = async (server: LocalServer) => {
    await change(() => {
      requireFreeName(server.name, server.id);
      return rows.map((row) => (row.id === server.id ? server : row));
    });
    return server;
  };
  const requireFreeName = (name: string, except?: ServerId) => {
    const isTaken = rows.some((row) => row.id !== except && row.name.toLowerCase() === name.toLowerCase());
    if (isTaken) throw nameTaken(name);
  };
  const endpointOf = (server: LocalServer) => openEndpoint(vault, server);

  return {
    isFirstTime: () => isFirstTime,
    list: () => rows,
    find: (id) => rows.find((row) => row.id === id),
    endpointOf,
    isApproved: (server) =>
      server.transportType === "http" || server.approved === commandHash(commandLine(endpointOf(server))),
    commandOf: (server) => commandLine(endpointOf(server)),
    approvedCommandOf: (server) =>
      server.approvedCommand === null
        ? null
        : commandLine(openEndpoint(vault, { id: server.id, sealed: server.approvedCommand })),
    async create({ name, enabled, transportType, ...rest }, isSample = false) {
      if (rows.length >= inspectorLimits.servers) {
        throw new ApiError("CONFLICT", `The inspector keeps at most ${inspectorLimits.servers} servers.`, {
          code: "TOO_MANY_SERVERS",
          hint: "Remove some that are not used any more.",
        });
      }
      const { endpoint, settings } = split(rest);
      if (endpoint.url !== undefined) endpoint.url = wholeAddress(endpoint.url, undefined);
      const entered = forTransport(transportType, asEntered(endpoint, settings, localUserId));
      const id = newId("server");
      const now = new Date();
      const server: LocalServer = {
        id,
        projectId: localProjectId,
        name,
        enabled,
        transportType,
        settings,
        sealed: sealEndpoint(vault, id, entered),
        provenance: null,
        approved: null,
        approvedCommand: null,
        isSample,
        createdAt: now,
        updatedAt: now,
      };
      await change(() => {
        requireFreeName(name);
        return [server, ...rows];
      });
      return server;
    },
    async update(server, request, isSample = server.isSample && request.url === undefined) {
      const { name, enabled, transportType, clearClientSecret, clearXaaConfig, expectedUpdatedAt, ...rest } =
        request;
      const updatedAt = nextUpdate(Date, server, expectedUpdatedAt, sharedServer);
      const before = { ...server, endpoint: endpointOf(server) };
      const sent = split(rest);
      if (sent.endpoint.url !== undefined) {
        sent.endpoint.url = wholeAddress(sent.endpoint.url, before.endpoint.url);
      }
      const change = { ...sent, transportType: transportType ?? server.transportType };
      const after = afterChange(before, change, localUserId);
      if (clearClientSecret) delete after.endpoint.clientSecret;
      if (clearXaaConfig) for (const field of xaaFields) delete after.settings[field];
      requireTarget(after.transportType, after.endpoint);
      const updated = await replace({
        ...server,
        ...(name !== undefined && { name }),
        ...(enabled !== undefined && { enabled }),
        transportType: after.transportType,
        settings: after.settings,
        sealed: sealEndpoint(vault, server.id, after.endpoint),
        isSample,
        updatedAt,
      });
      return { server: updated, dropped: after.dropped };
    },
    approve(server) {
      const { command, args, env = {} } = endpointOf(server);
      const names = Object.fromEntries(Object.keys(env).map((name) => [name, ""]));
      const approvedCommand = sealEndpoint(vault, server.id, { command, args, env: names });
      return replace({ ...server, approved: commandHash(commandLine(endpointOf(server))), approvedCommand });
    },
    async pinSecret(server, issuer) {
      const endpoint = endpointOf(server);
      if (endpoint.clientSecret === undefined || endpoint.clientSecretIssuer === issuer) return;
      if (endpoint.clientSecretIssuer !== undefined) throw issuerChanged(endpoint.clientSecretIssuer, issuer);
      const sealed = sealEndpoint(vault, server.id, { ...endpoint, clientSecretIssuer: issuer });
      await replace({ ...server, sealed });
    },
    remove: (server) => change(() => rows.filter((row) => row.id !== server.id)),
  };
}

/** Values of the environment are not part of it: they change with every token. */
function commandLine({ command = "", args = [], env = {} }: ServerEndpoint): CommandLine {
  return { command, args, envNames: Object.keys(env).sort() };
}

function commandHash({ command, args, envNames }: CommandLine): string {
  return createHash("sha256")
    .update(JSON.stringify([command, args, envNames]))
    .digest("hex");
}

async function read(path: string): Promise<LocalServer[] | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    return File.parse(JSON.parse(text)).servers.map((row) => ({
      ...row,
      // Written by ourselves: these were ids and settings.
      id: row.id as ServerId,
      projectId: localProjectId,
      settings: row.settings as LocalServer["settings"],
      provenance: null,
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
    }));
  } catch (error) {
    throw new Error(`${path} cannot be read: mend it, or move it away to begin anew.`, { cause: error });
  }
}
