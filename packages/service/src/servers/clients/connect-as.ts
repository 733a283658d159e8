/** @module How a client reaches servers: under its name, with its headers and versions, seeing the tools that its host would show. */
import type { ClientConfig } from "@fettle/contract/environments";
import { must } from "@fettle/contract/formats";
import { headerName } from "@fettle/contract/servers";
import { type ConnectOptions, type HostProfile, isObject, loadHosts } from "@fettle/mcp";
import { z } from "zod";

/** What of a client bears on its connection to one server. */
export interface ClientConnection {
  /** Sent unless the saved server says otherwise. */
  headers: Record<string, string>;
  /** Sent whatever the saved server says: somebody named that server. */
  headersOverride: Record<string, string>;
  requestMs?: number;
  options: Pick<ConnectOptions, "host" | "capabilities" | "protocolVersion">;
}

// A config is an open object, and what this release does not understand is left alone.
const text = z.string().min(1).optional().catch(undefined);
const Profile = z
  .looseObject({
    mcpProtocolVersion: text,
    initialize: z
      .looseObject({
        supportedProtocolVersions: z.array(z.string()).min(1).optional().catch(undefined),
        clientInfo: z.looseObject({ name: z.string(), version: z.string() }).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  })
  .catch({});
const Override = z
  .looseObject({
    headersOverride: z.record(z.string(), z.string()).optional().catch(undefined),
    requestTimeoutOverride: z.number().positive().optional().catch(undefined),
    mcpProtocolVersionOverride: text,
  })
  .catch({});

/**
 * @example
 * const { headers, options } = await connectAs(client.config, server.id);
 */
export async function connectAs(config: ClientConfig, serverId: string): Promise<ClientConnection> {
  const { connectionDefaults, clientCapabilities } = config;
  const override = Override.parse(config.serverConnectionOverrides?.[serverId] ?? {});
  const requestMs = override.requestTimeoutOverride ?? connectionDefaults?.requestTimeout;
  const profile = Profile.parse(config.mcpProfile ?? {});
  const pin = override.mcpProtocolVersionOverride ?? profile.mcpProtocolVersion;
  return {
    headers: sendable(connectionDefaults?.headers),
    headersOverride: sendable(override.headersOverride),
    ...(requestMs !== undefined && { requestMs }),
    options: {
      host: await hostOf(config, profile),
      ...(clientCapabilities && { capabilities: clientCapabilities }),
      ...(pin !== undefined && pin !== "auto" && { protocolVersion: pin }),
    },
  };
}

/** The host that the client behaves like, with what its settings say otherwise. */
async function hostOf(
  { hostStyle, respectToolVisibility }: ClientConfig,
  { initialize, mcpProtocolVersion }: z.output<typeof Profile>,
): Promise<HostProfile> {
  const hosts = await loadHosts();
  const styled = hosts.find(({ template }) => isObject(template) && template.hostStyle === hostStyle);
  // The catalogue begins with our own, which a style of one's own falls back on.
  const host = styled ?? must(hosts[0], "our own host, which the catalogue begins with");
  const versions = initialize?.supportedProtocolVersions;
  return {
    ...host,
    clientInfo: initialize?.clientInfo ?? host.clientInfo,
    protocol: {
      ...host.protocol,
      ...(versions && { handshakeVersions: versions }),
      ...(mcpProtocolVersion === "auto" && { versionPolicy: "auto" }),
    },
    respectsToolVisibility: respectToolVisibility ?? host.respectsToolVisibility,
  };
}

/** A header that decides where a request goes or stops is the connection's own. */
function sendable(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => headerName.safeParse(name).success));
}
