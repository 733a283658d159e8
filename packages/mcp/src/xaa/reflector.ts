/** @module The reflector: a public key inside a URL, and the client metadata document served there. Whoever holds the key is the client; nothing is stored. */
import type { JsonWebKey } from "node:crypto";
import { parseJsonWithin } from "../messages/json-text.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { grantTypes } from "../oauth/grant-types.ts";

/** What follows is the public key as base64url of its JSON. */
export const reflectorPath = "/.well-known/oauth/xaa-cimd/";

/** Far above what a P-256 key takes. */
const maxSegment = 512;
const members = { kty: "EC", crv: "P-256", alg: "ES256", use: "sig" } as const;

export function reflectorUrl(origin: string, publicJwk: JsonWebKey): string {
  const segment = Buffer.from(JSON.stringify(publicJwk)).toString("base64url");
  return `${new URL(origin).origin}${reflectorPath}${segment}`;
}

/** The key in the last segment of a reflector URL, or why it is none. A private member is refused, not dropped. */
export function readReflectedKey(segment: string): { key: JsonWebKey } | { fault: string } {
  if (segment.length > maxSegment || !/^[A-Za-z0-9_-]+$/.test(segment))
    return { fault: "not a base64url key" };
  const text = Buffer.from(segment, "base64url").toString("utf8");
  const parsed = parseJsonWithin(text, { jsonDepth: 2, jsonElements: 16 });
  if (!parsed.ok || !isObject(parsed.value)) return { fault: "not a JSON Web Key" };
  const jwk = parsed.value;
  const unknown = Object.keys(jwk).find(
    (name) => !["kty", "crv", "x", "y", "kid", "alg", "use"].includes(name),
  );
  if (unknown !== undefined) {
    return {
      fault:
        unknown === "d" ? "a private key; only the public one belongs here" : `unknown member ${unknown}`,
    };
  }
  const wrong = Object.entries(members).find(([name, value]) => jwk[name] !== value);
  if (wrong) return { fault: `${wrong[0]} must be ${wrong[1]}` };
  const isCoordinate = (value: unknown) => typeof value === "string" && /^[A-Za-z0-9_-]{43}$/.test(value);
  if (!isCoordinate(jwk.x) || !isCoordinate(jwk.y)) return { fault: "x and y must be P-256 coordinates" };
  if (typeof jwk.kid !== "string" || jwk.kid.length > 64) return { fault: "kid must be a short text" };
  return { key: jwk };
}

/** Made from the decoded key alone. */
export function reflectedClientMetadata(clientId: string, key: JsonWebKey): JsonObject {
  return {
    client_id: clientId,
    client_name: "Fettle cross-app access",
    grant_types: [grantTypes.tokenExchange, grantTypes.jwtBearer],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    jwks: { keys: [key] },
  };
}
