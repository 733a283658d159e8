/** @module What lets a page of the local inspector in: a token for this start, sent in a header, because a cookie would reach every server under test. */
import { readForTab, writeForTab } from "../lib/storage.ts";

const name = "inspector-token";

export function localToken(): string | undefined {
  const token = readForTab(name);
  return typeof token === "string" ? token : undefined;
}

export function keepLocalToken(token: string | undefined): void {
  writeForTab(name, token);
}

/** Nothing where the service answers. */
export function localHeaders(): Record<string, string> {
  const token = localToken();
  if (token === undefined) return {};
  // The inspector takes no other type, whether there is a body or not.
  return { "x-mcp-session-auth": `Bearer ${token}`, "content-type": "application/json" };
}
