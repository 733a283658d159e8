/** @module The sealed part of a webhook: where it is, and what signs what is sent there. */
import type { WebhookId } from "@fettle/contract/core";
import { noticeLimits } from "@fettle/contract/notices";
import { maskUrl, Secret } from "@fettle/contract/secrets";
import type { Vault } from "../../core/vault/vault.ts";
import { newSigningSecret } from "./signature.ts";

export interface Receiver {
  url: string;
  secret: string;
  /** Signs beside the other until then. */
  earlier?: { secret: string; until: number };
}

const place = (id: WebhookId) => `webhooks/${id}/sealed`;

export function sealReceiver(vault: Vault, id: WebhookId, receiver: Receiver): string {
  return vault.seal(new Secret(JSON.stringify(receiver)), place(id));
}

export function openReceiver(vault: Vault, { id, sealed }: { id: WebhookId; sealed: string }): Receiver {
  // Only `sealReceiver` writes the column, and the vault refuses what was altered.
  return JSON.parse(vault.open(sealed, place(id)).reveal()) as Receiver;
}

export function withNewSecret({ url, secret }: Receiver, now: number): Receiver {
  const earlier = { secret, until: now + noticeLimits.earlierSecretMs };
  return { url, secret: newSigningSecret().reveal(), earlier };
}

export function secretsOf({ secret, earlier }: Receiver, now: number): Secret[] {
  const signing = earlier && earlier.until > now ? [secret, earlier.secret] : [secret];
  return signing.map((each) => new Secret(each));
}

/** Many receivers are known by a secret in the path, which is longer than words are. */
const longestWord = 15;

/**
 * @example
 * shownAddress("https://hooks.example.com/services/T024BE7LD8X2M4KQ?key=1"); // "https://hooks.example.com/services/***?key=***"
 */
export function shownAddress(address: string): string {
  const url = new URL(maskUrl(address));
  const segments = url.pathname.split("/").map((part) => (part.length > longestWord ? "***" : part));
  return url.origin + segments.join("/") + url.search + url.hash;
}
