/** @module The identity-assertion grant: what it claims, how it is signed, and the ways to spoil it that a careful server must refuse. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { grantTokenType } from "../oauth/grant-types.ts";
import { signJwt } from "../oauth/jwt.ts";
import type { SigningKey } from "./keys.ts";

export interface GrantRequest {
  issuer: string;
  /** The resource's authorization server. */
  audience: string;
  subject: string;
  clientId: string;
  resource: string;
  scope?: string | undefined;
  email?: string | undefined;
  /** How the person signed in at the issuer; a SAML sign-in adds its name as the subject's identifier. */
  assertionFormat: "oidc" | "saml";
  now: number;
}

export interface Grant {
  token: string;
  header: JsonObject;
  claims: JsonObject;
}

const lifetimeSeconds = 300;

export function mintGrant(request: GrantRequest, key: SigningKey, spoil?: SpoiledGrant): Grant {
  const sound = { header: headerOf(key), claims: claimsOf(request) };
  const made = { ...sound, ...spoil?.change?.(sound) };
  const { typ, kid } = made.header;
  const signer = spoil?.signedByAnother
    ? generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
    : key.privateKey;
  const token = signJwt(made.claims, signer, { algorithm: "RS256", typ: String(typ), kid: String(kid) });
  return { ...made, token };
}

function headerOf({ publicJwk }: SigningKey): JsonObject {
  return { alg: "RS256", typ: grantTokenType, kid: String(publicJwk.kid) };
}

function claimsOf(request: GrantRequest): JsonObject {
  const { issuer, audience, subject, clientId, resource, scope, email, assertionFormat } = request;
  const iat = Math.floor(request.now / 1_000);
  return {
    iss: issuer,
    sub: subject,
    aud: audience,
    client_id: clientId,
    jti: randomUUID(),
    iat,
    exp: iat + lifetimeSeconds,
    resource,
    ...(scope !== undefined && { scope }),
    ...(email !== undefined && { email }),
    ...(assertionFormat === "saml" && { sub_id: { format: "saml-nameid", issuer, nameid: subject } }),
  };
}

interface Parts {
  header: JsonObject;
  claims: JsonObject;
}

/** One fault in an otherwise sound grant. */
export interface SpoiledGrant {
  /** What a server that accepts it does not look at. */
  risk: string;
  /** Whether acceptance may be this server's policy rather than a fault. */
  policy?: true;
  change?(sound: Parts): Partial<Parts>;
  signedByAnother?: true;
}

const hour = 3_600;
const withClaims = ({ claims }: Parts, other: JsonObject) => ({ claims: { ...claims, ...other } });
const without = (claims: JsonObject, names: readonly string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));

export const spoiledGrants = {
  bad_signature: {
    risk: "grants signed by anyone are accepted",
    signedByAnother: true,
  },
  wrong_audience: {
    risk: "grants meant for another authorization server are accepted",
    change: (sound) => withClaims(sound, { aud: "https://elsewhere.invalid" }),
  },
  expired: {
    risk: "grants are accepted after they expired",
    change: (sound) => {
      const now = Number(sound.claims.iat);
      return withClaims(sound, { iat: now - 2 * hour, exp: now - hour });
    },
  },
  missing_claims: {
    risk: "grants that name no subject and no identifier of their own are accepted",
    change: ({ claims }) => ({ claims: without(claims, ["sub", "jti", "email", "sub_id"]) }),
  },
  invalid_type_header: {
    risk: "any signed token of the issuer is taken for a grant",
    change: ({ header }) => ({ header: { ...header, typ: "JWT" } }),
  },
  wrong_issuer: {
    risk: "grants of an issuer that nobody trusts are accepted",
    change: (sound) => withClaims(sound, { iss: "https://untrusted.invalid/xaa" }),
  },
  resource_mismatch: {
    risk: "a grant for one resource gives a token for another",
    change: (sound) => withClaims(sound, { resource: "https://elsewhere.invalid/mcp" }),
  },
  client_id_mismatch: {
    risk: "a grant made for one client is redeemed by another",
    change: (sound) => withClaims(sound, { client_id: "another-client" }),
  },
  unknown_kid: {
    risk: "the key that a grant names is not looked up",
    change: ({ header }) => ({ header: { ...header, kid: "no-such-key" } }),
  },
  unknown_sub: {
    risk: "a person the server does not know gets a token",
    policy: true,
    change: ({ claims }) => {
      const subject = `nobody-${randomUUID()}`;
      return {
        claims: {
          ...claims,
          sub: subject,
          ...(claims.email !== undefined && { email: `${subject}@example.invalid` }),
          ...(claims.sub_id !== undefined && {
            sub_id: { ...(claims.sub_id as JsonObject), nameid: subject },
          }),
        },
      };
    },
  },
  scope_denial: {
    risk: "scopes that do not exist are granted",
    policy: true,
    change: (sound) => withClaims(sound, { scope: "fettle:no-such-scope" }),
  },
} satisfies Record<string, SpoiledGrant>;

export type SpoilMode = keyof typeof spoiledGrants;
