/** @module What servers gave the person to be let in with: sealed in a file of their own, and renewed one at a time. */
import { join } from "node:path";
import type { ServerId } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import {
  type Authorize,
  authorizeWith,
  createHttpClient,
  isFresh,
  localPolicy,
  type StoredCredential,
} from "@fettle/mcp";
import { createTurns } from "../core/turns.ts";
import type { Vault } from "../core/vault/vault.ts";
import { isSameServer } from "../servers/live/stored-credential.ts";
import { readText, writePrivate } from "./files.ts";
import type { LocalServer, SavedServers } from "./saved-servers.ts";

interface Row {
  serverId: ServerId;
  /** Of the address it was given for and the credential itself. */
  sealed: string;
  updatedAt: string;
}

interface Sealed {
  serverUrl: string;
  credential: StoredCredential;
}

export interface Credentials {
  /** Only what was given for the address that the server has now. */
  find(server: LocalServer): StoredCredential | undefined;
  /** Changes with the credential, and tells nothing of it. */
  stampOf(server: LocalServer): string;
  keep(serverId: ServerId, sealed: Sealed): Promise<void>;
  forget(serverId: ServerId): Promise<void>;
  /** Answers a server's 401 with a new token. */
  renewing(server: LocalServer, used: StoredCredential): Authorize;
}

const place = (serverId: ServerId) => `credentials/${serverId}`;

export async function openCredentials(
  folder: string,
  vault: Vault,
  servers: SavedServers,
): Promise<Credentials> {
  const path = join(folder, "credentials.json");
  const inTurn = createTurns();
  const renewingInTurn = createTurns();
  // Written by ourselves, and the vault refuses what was altered.
  let rows = JSON.parse((await readText(path)) ?? "[]") as Row[];

  const change = (make: () => Row[]) =>
    inTurn(async () => {
      const next = make();
      await writePrivate(path, `${JSON.stringify(next, null, 2)}\n`);
      rows = next;
    });
  const rowOf = (serverId: ServerId) => rows.find((row) => row.serverId === serverId);
  const without = (serverId: ServerId) => rows.filter((row) => row.serverId !== serverId);
  const keep: Credentials["keep"] = (serverId, value) => {
    const sealed = vault.seal(new Secret(JSON.stringify(value)), place(serverId));
    return change(() => [...without(serverId), { serverId, sealed, updatedAt: new Date().toISOString() }]);
  };
  function find(server: LocalServer): StoredCredential | undefined {
    const row = rowOf(server.id);
    if (!row) return undefined;
    const held = JSON.parse(vault.open(row.sealed, place(server.id)).reveal()) as Sealed;
    return isSameServer(held.serverUrl, servers.endpointOf(server).url) ? held.credential : undefined;
  }

  return {
    find,
    stampOf: ({ id }) => rowOf(id)?.updatedAt ?? "",
    keep,
    forget: async (serverId) => {
      if (rowOf(serverId)) await change(() => without(serverId));
    },
    renewing(server, used) {
      const serverUrl = servers.endpointOf(server).url ?? "";
      let sent = used.tokens?.accessToken;
      // Many authorization servers end the whole grant when a refresh token comes twice.
      return (demand) =>
        renewingInTurn(async () => {
          const current = find(server);
          const accessToken = current?.tokens?.accessToken;
          if (!current || !accessToken) return undefined;
          if (accessToken !== sent && isFresh(current.tokens, Date.now())) {
            sent = accessToken;
            return { authorization: `Bearer ${accessToken}` };
          }
          const renew = authorizeWith({
            http: async () => createHttpClient({ policy: localPolicy }),
            serverUrl,
            protocolVersion: server.settings.oauthProtocolVersion ?? "2025-11-25",
            credential: current,
            save: async (credential) => {
              sent = credential.tokens?.accessToken;
              await keep(server.id, { serverUrl, credential });
            },
          });
          return renew(demand);
        });
    },
  };
}
