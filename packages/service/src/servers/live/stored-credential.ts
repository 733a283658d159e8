/** @module What is true of a stored credential wherever it is kept: which address it is for, and what of it must not be seen again. */
import { canonicalResource, type StoredCredential } from "@fettle/mcp";

/** A server that has moved is somebody else. */
export function isSameServer(a: string, b: string | undefined): boolean {
  return b !== undefined && canonicalResource(a) === canonicalResource(b);
}

export function secretsOfCredential(credential: StoredCredential | undefined): string[] {
  const { tokens, client } = credential ?? {};
  return [tokens?.accessToken, tokens?.refreshToken, client?.clientSecret].filter(
    (secret) => secret !== undefined,
  );
}
