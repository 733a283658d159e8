/** @module What an issuer publishes so that others can verify its grants, and where. */
import type { JsonWebKey } from "node:crypto";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { grantTypes } from "../oauth/grant-types.ts";

/** Below the base URL; the issuer is named by it. */
export const issuerPath = "/xaa";

/** Paths below the base URL, with the document served at each. */
export const issuerPaths = {
  configuration: [
    `${issuerPath}/.well-known/openid-configuration`,
    `/.well-known/openid-configuration${issuerPath}`,
    `/.well-known/oauth-authorization-server${issuerPath}`,
  ],
  keys: `${issuerPath}/.well-known/jwks.json`,
} as const;

export function issuerOf(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, "")}${issuerPath}`;
}

/** Fettle signs grants on the person's machine: the endpoints are named because the format asks for them, and nothing answers there. */
export function issuerConfiguration(baseUrl: string): JsonObject {
  const issuer = issuerOf(baseUrl);
  return {
    issuer,
    jwks_uri: `${baseUrl.replace(/\/+$/, "")}${issuerPaths.keys}`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    grant_types_supported: [grantTypes.tokenExchange],
  };
}

export function issuerKeys(publicJwk: JsonWebKey): JsonObject {
  return { keys: [publicJwk] };
}
