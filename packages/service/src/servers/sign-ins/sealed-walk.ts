/** @module What a watched sign-in keeps sealed: where it goes, what its flow remembers, and what its owner is shown. */
import { Secret } from "@fettle/contract/secrets";
import type { ServerSignIn } from "@fettle/contract/servers";
import type { FlowMemory } from "@fettle/mcp";
import type { Vault } from "../../core/vault/vault.ts";
import type { SignInKey } from "./store.ts";

/** What is shown of it; the row itself says how often it went on and when. */
export type ShownWalk = Omit<ServerSignIn, "revision" | "at">;

export interface SealedWalk {
  /** The server's address when it began: one that has moved since is somebody else. */
  url: string;
  redirectUri: string;
  /** How far the person wanted it to go when they left for the authorization server. */
  run: "stage" | "all";
  /** Gone once it is over. */
  memory?: FlowMemory;
  shown?: ShownWalk;
}

const place = ({ serverId, userId }: SignInKey) => `server_sign_ins/${serverId}/${userId}`;

export function sealWalk(vault: Vault, key: SignInKey, walk: SealedWalk): string {
  return vault.seal(new Secret(JSON.stringify(walk)), place(key));
}

export function openWalk(vault: Vault, row: SignInKey & { sealed: string }): SealedWalk {
  // Only `sealWalk` writes the column, and the vault refuses what was altered.
  return JSON.parse(vault.open(row.sealed, place(row)).reveal()) as SealedWalk;
}
