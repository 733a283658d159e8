/** @module Which access tokens can be used. Apart from asking for them, so that whoever only reads one loads no cryptography. */
import { McpError } from "../failure.ts";
import { excerptOf } from "../messages/jsonrpc.ts";

/** Without a type, which servers forget, a token is taken for a bearer. */
export function isBearerType(type: unknown): boolean {
  return type === undefined || (typeof type === "string" && /^bearer$/i.test(type));
}

/**
 * The one type that can be used here. A token of another must not be (RFC 6749, 7.1): sent as a bearer it would be
 * without the proof that its type adds.
 */
export function knownTokenType(type: unknown): "Bearer" {
  if (isBearerType(type)) return "Bearer";
  const said = typeof type === "string" ? excerptOf(type).slice(0, 40) : "not a text";
  throw new McpError(
    "OAUTH",
    `The access token is of a type that cannot be used here (${said}); it was not sent.`,
    {
      hint: "Have the authorization server give out Bearer tokens to this client.",
      details: { tokenType: said },
    },
  );
}
