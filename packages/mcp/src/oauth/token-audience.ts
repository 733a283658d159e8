/** @module Whom an access token was made for: the audience inside a JWT, else what the authorization server says of the token. */
import { parseJsonWithin } from "../messages/json-text.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { postAsClient, type TokenRequest } from "./tokens.ts";

export interface TokenAudience {
  audience: readonly string[];
  readFrom: "JWT" | "introspection";
}

/** Or the reason why nobody can say. Signatures are the server's to check. */
export async function findAudience(
  token: string,
  request: Omit<TokenRequest, "resource" | "scope">,
): Promise<TokenAudience | { unknown: string }> {
  const named = audienceIn(claimsOf(token));
  if (named) return { audience: named, readFrom: "JWT" };
  const endpoint = request.server.introspection_endpoint;
  if (typeof endpoint !== "string") {
    return {
      unknown:
        "the token is not a JWT with an audience, and the authorization server offers no introspection",
    };
  }
  const fields = { token, token_type_hint: "access_token" };
  const { status, body } = await postAsClient(request, endpoint, fields);
  const told = body.active === true ? audienceIn(body) : undefined;
  if (told) return { audience: told, readFrom: "introspection" };
  const reason = status !== 200 ? `answers ${status}` : "names no audience";
  return { unknown: `the token is not a JWT with an audience, and the introspection endpoint ${reason}` };
}

function claimsOf(token: string): JsonObject {
  const [header, claims, signature, ...more] = token.split(".");
  if (!header || !claims || signature === undefined || more.length > 0) return {};
  const limits = { jsonDepth: 16, jsonElements: 5_000 };
  const parsed = parseJsonWithin(Buffer.from(claims, "base64url").toString(), limits);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

function audienceIn({ aud }: JsonObject): readonly string[] | undefined {
  const named = (Array.isArray(aud) ? aud : [aud]).filter((item) => typeof item === "string" && item !== "");
  return named.length > 0 ? named : undefined;
}
