/** @module The part of a saved server that is sealed: where it is and what is sent to it. */
import type { ServerId, UserId } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { Vault } from "../../core/vault/vault.ts";

export interface ServerEndpoint {
  url?: string;
  headers?: Record<string, string>;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  clientSecret?: string;
  /** Who was asked for tokens with the client's secret; nobody else gets it. */
  clientSecretIssuer?: string;
  /** Who entered the client's secret, and so may say whom it is for while that is not known. */
  clientSecretBy?: UserId;
  /** Whose machine is behind the tunnel that the address leads to. */
  tunnelHeldBy?: string;
}

const place = (serverId: ServerId) => `servers/${serverId}/sealed`;

export function sealEndpoint(vault: Vault, serverId: ServerId, endpoint: ServerEndpoint): string {
  return vault.seal(new Secret(JSON.stringify(endpoint)), place(serverId));
}

export function openEndpoint(vault: Vault, server: { id: ServerId; sealed: string }): ServerEndpoint {
  // Only `sealEndpoint` writes the column, and the vault refuses what was altered.
  return JSON.parse(vault.open(server.sealed, place(server.id)).reveal()) as ServerEndpoint;
}
