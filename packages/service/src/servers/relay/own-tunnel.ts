/** @module Whether a saved server's address is its own tunnel: then the service's calls go to the relay in this process, not to a network. */
import type { ServerId } from "@fettle/contract/core";
import type { NetworkPolicy } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { parseTunnelAddress } from "./address.ts";
import { opens } from "./edge.ts";
import { findKnown } from "./store.ts";

/**
 * The way to the tunnel that belongs to this very server and that its address opens; undefined otherwise. Only the
 * relay can be reached that way, so this is no way around the rules for addresses.
 */
export async function dialOwnTunnel(
  app: App,
  serverId: ServerId,
  url: string,
): Promise<NetworkPolicy["dial"] | undefined> {
  const { pathname, search } = new URL(url);
  const address = parseTunnelAddress(pathname + search);
  const tunnel = address && (await findKnown(app.pool, "slug", address.slug));
  if (!address || tunnel?.serverId !== serverId || !opens(tunnel, address.secret)) return undefined;
  return app.relay.dial;
}
