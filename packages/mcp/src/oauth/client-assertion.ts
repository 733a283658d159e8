/** @module A client that proves itself by its key instead of a secret (RFC 7523): a small token it signs for one authorization server. */
import type { KeyObject } from "node:crypto";
import { McpError } from "../failure.ts";
import { type JwtAlgorithm, privateKeyFrom, signJwt } from "./jwt.ts";

export interface AssertionKey {
  privateKey: KeyObject;
  /** By which the authorization server finds the public half, when it knows several. */
  kid?: string | undefined;
}

export const clientAssertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The key as a PEM or JWK: EC P-256 or RSA. */
export function assertionKeyFrom(text: string): AssertionKey {
  let privateKey: KeyObject;
  try {
    privateKey = privateKeyFrom(text);
  } catch (cause) {
    throw new McpError("BAD_OPTION", "The client key cannot be read.", {
      hint: "A private key as PEM or JWK is wanted.",
      cause,
    });
  }
  algorithmOf(privateKey);
  return { privateKey };
}

export function clientAssertion(
  clientId: string,
  audience: string,
  { privateKey, kid }: AssertionKey,
): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    jti: crypto.randomUUID(),
    iat,
    exp: iat + 300,
  };
  const algorithm = algorithmOf(privateKey);
  return signJwt(claims, privateKey, { algorithm, typ: "JWT", ...(kid !== undefined && { kid }) });
}

function algorithmOf(key: KeyObject): JwtAlgorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return "ES256";
  throw new McpError("BAD_OPTION", "The client key is neither RSA nor EC P-256.");
}
