/** @module How a tunnel's public address is written and read. */
import { recogniseToken } from "../../people/accounts/tokens.ts";

export const relayPath = "/tunnel-relay";

/** On the way from one of our processes to the one that holds the socket; such a request is not passed on again. */
export const relayedHeader = "x-fettle-relayed";

/** Without the secret, as it may be shown. */
export function publicPath(slug: string, secret?: string): string {
  return `/tunnel/${slug}${secret === undefined ? "" : `?k=${secret}`}`;
}

export interface TunnelAddress {
  slug: string;
  secret: string;
  /** What the host is asked for: everything but the tunnel's own part. */
  url: string;
}

/** Undefined when it is not written like a tunnel's address; says nothing about whether it opens one. */
export function parseTunnelAddress(pathAndQuery: string): TunnelAddress | undefined {
  const url = URL.parse(pathAndQuery, "http://tunnel.invalid");
  const slug = /^\/tunnel\/([0-9a-z]{4,64})$/.exec(url?.pathname ?? "")?.[1];
  const secret = url?.searchParams.get("k") ?? "";
  if (!url || !slug || recogniseToken(secret) !== "tunnelSecret") return undefined;
  url.searchParams.delete("k");
  return { slug, secret, url: `/${url.search}` };
}
