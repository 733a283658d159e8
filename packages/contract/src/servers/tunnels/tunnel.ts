/** @module A tunnel: a public address for a server that only its owner's machine can reach. */
import { z } from "zod";
import { limits } from "../../core/limits/limits.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { credentialsDropped } from "../server.ts";

export const TunnelCreateRequest = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(limits.tunnels.nameLength)
      .describe("The saved server to point at the tunnel, or to make"),
  })
  .meta({ id: "TunnelCreateRequest" });

/** The whole of it is a credential. */
export const TunnelGrant = z
  .object({
    serverId: z.string(),
    name: z.string(),
    existed: z.boolean().describe("A server of this name was there, and points at the tunnel now"),
    previousUrl: z.string().optional().describe("Where it pointed before; query values are masked"),
    previousTransportType: z.enum(["stdio", "http"]).optional(),
    credentialsDropped: credentialsDropped.optional(),
    slug: z.string(),
    url: z.string().describe("The public address, with its secret"),
    connectToken: z.string().describe("Bearer for the relay"),
    connectTokenExpiresAt: Timestamp,
    relayWsUrl: z.string(),
    secretVersion: z.int(),
  })
  .meta({ id: "TunnelGrant" });
export type TunnelGrant = z.output<typeof TunnelGrant>;

/** A tunnel as its project's pages show it: nothing here opens one. */
export const Tunnel = z.object({
  serverId: z.string(),
  serverName: z.string(),
  slug: z.string(),
  path: z.string().describe("Of the public address, without its secret"),
  state: z
    .enum(["connected", "offline", "closed"])
    .describe("`offline`: open, but no host is connected, so calls fail at once"),
  since: Timestamp,
});
export type Tunnel = z.output<typeof Tunnel>;

export const TunnelClosed = z
  .object({ serverId: z.string(), status: z.literal("closed") })
  .meta({ id: "TunnelClosed" });
