/** @module Small signed tokens: RS256 for the issuer, ES256 for the client. Only what cross-app access needs. */
import type { JsonWebKey, KeyObject } from "node:crypto";
import type { JsonObject } from "../messages/jsonrpc.ts";

/** Loaded when it is needed: few programs that can sign ever do. */
const cryptography = () => process.getBuiltinModule("node:crypto");

export type JwtAlgorithm = "RS256" | "ES256";

/** JWS wants the two numbers of an elliptic signature side by side, not in DER. */
const signatureForm = { dsaEncoding: "ieee-p1363" } as const;

/** Signs; `header` may say whatever a probe needs it to say, the signature stays that of `algorithm`. */
export function signJwt(
  claims: JsonObject,
  key: KeyObject,
  { algorithm, ...header }: { algorithm: JwtAlgorithm; typ: string; kid?: string },
): string {
  const signed = `${part({ alg: algorithm, ...header })}.${part(claims)}`;
  const signature = cryptography().sign("sha256", Buffer.from(signed), { key, ...signatureForm });
  return `${signed}.${signature.toString("base64url")}`;
}

export function hasSignatureOf(token: string, key: JsonWebKey): boolean {
  const [header = "", claims = "", signature = ""] = token.split(".");
  try {
    const { createPublicKey, verify } = cryptography();
    const publicKey = createPublicKey({ key, format: "jwk" });
    return verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      { key: publicKey, ...signatureForm },
      Buffer.from(signature, "base64url"),
    );
  } catch {
    return false;
  }
}

/** The public half as a JWK, without any private member. */
export function publicJwkOf(key: KeyObject): JsonWebKey {
  return cryptography().createPublicKey(key).export({ format: "jwk" });
}

export function privateKeyFrom(text: string): KeyObject {
  const { createPrivateKey } = cryptography();
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    return createPrivateKey({ key: JSON.parse(trimmed) as JsonWebKey, format: "jwk" });
  }
  // Environment variables often carry a PEM on one line.
  return createPrivateKey(trimmed.replaceAll("\\n", "\n"));
}

function part(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
