/** @module What proves to a receiver that a delivery is ours: the signature of Standard Webhooks, version 1. */
import { createHmac, randomBytes } from "node:crypto";
import { Secret } from "@fettle/contract/secrets";

const prefix = "whsec_";

export function newSigningSecret(): Secret {
  return new Secret(prefix + randomBytes(32).toString("base64"));
}

/**
 * The three headers of a delivery. Several secrets sign side by side while one takes over from another.
 *
 * @example
 * signedHeaders([secret], { id: "evt_1", at: Date.now(), body: "{}" })["webhook-signature"]; // "v1,K5oZ…="
 */
export function signedHeaders(
  secrets: readonly Secret[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
