/** @module What a request keeps sealed: the address, which may hold a key, the private link, and what a consent under way must remember. */
import type { ServerConnectionId } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { OauthClient, StoredCredential } from "@fettle/mcp";
import type { Vault } from "../../core/vault/vault.ts";

export interface SealedPart {
  url: string;
  /** The token of the private link, for as long as a person may be needed. */
  handoff?: string;
  /** Set while a browser is away at the authorization server. */
  pending?: { codeVerifier: string; redirectUri: string; client: OauthClient };
  credential?: StoredCredential;
}

const place = (id: ServerConnectionId) => `server_connections/${id}/sealed`;

export function sealPart(vault: Vault, id: ServerConnectionId, part: SealedPart): string {
  return vault.seal(new Secret(JSON.stringify(part)), place(id));
}

export function openPart(vault: Vault, row: { id: ServerConnectionId; sealed: string | null }): SealedPart {
  if (row.sealed === null) throw new Error(`request ${row.id} has ended, and its secrets are gone`);
  // Only `sealPart` writes the column, and the vault refuses what was altered.
  return JSON.parse(vault.open(row.sealed, place(row.id)).reveal()) as SealedPart;
}
