/** @module Who guards a server: the resource it names, the authorization server it trusts, and what to ask there for. */
import { McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";
import type { AuthorizationDemand } from "../session/link.ts";
import {
  discoverResourceMetadata,
  discoverServerMetadata,
  type MetadataAttempt,
  type ProtectedResource,
  readProtectedResource,
  resourceMetadataMissing,
  serverMetadataMissing,
} from "./discovery.ts";
import { canonicalResource, defaultEndpoints } from "./metadata-urls.ts";

export interface Guardian {
  issuer: string;
  resource: string;
  /** The authorization server's own metadata. */
  metadata: JsonObject;
  /** Where that metadata came from, which bounds where its endpoints may be. */
  zone: AddressZone | undefined;
  /** What to ask for when the person named nothing: the challenge's scope, else all the resource knows. */
  scope?: string | undefined;
}

export interface GuardianOptions {
  serverUrl: string;
  protocolVersion: string;
  /** Preferred among the authorization servers that the resource names. */
  pinnedIssuer?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Follows a server's demand to its authorization server; throws OAUTH when that leads nowhere. */
export async function findGuardian(
  http: HttpClient,
  demand: Pick<AuthorizationDemand, "challenge" | "zone">,
  options: GuardianOptions,
): Promise<Guardian> {
  const { serverUrl, protocolVersion, signal, pinnedIssuer } = options;
  const { found, attempts } = await discoverResourceMetadata(
    http,
    serverUrl,
    demand.challenge?.resourceMetadata,
    { signal, ...(demand.challenge?.resourceMetadata !== undefined && { suppliedFrom: demand.zone }) },
  );
  const resource: ProtectedResource | undefined = found && readProtectedResource(found, serverUrl);
  if (!resource && protocolVersion >= "2025-06-18") {
    const why = resourceMetadataMissing({ attempts }, demand.challenge?.resourceMetadata);
    throw new McpError("OAUTH", `The server demands a token. ${why}`, {
      details: { url: serverUrl, unreachable: nobodyAnswered(attempts) },
    });
  }
  const issuer =
    resource?.authorizationServers.find((server) => server === pinnedIssuer) ??
    resource?.authorizationServers[0] ??
    new URL(serverUrl).origin;
  const suppliedFrom = resource?.zone;
  const discovery = await discoverServerMetadata(http, issuer, protocolVersion, { signal, suppliedFrom });
  const server = discovery.found ?? oldServer(protocolVersion, issuer, discovery.attempts);
  if (!server) {
    throw new McpError("OAUTH", serverMetadataMissing(discovery, issuer).why, {
      details: { issuer, unreachable: nobodyAnswered(discovery.attempts) },
    });
  }
  if (server.metadata.issuer !== undefined && server.metadata.issuer !== issuer) {
    throw new McpError(
      "OAUTH",
      `The metadata of ${issuer} names another issuer, ${String(server.metadata.issuer)}.`,
      { details: { issuer, named: String(server.metadata.issuer) } },
    );
  }
  return {
    issuer,
    resource: resource?.resource ?? canonicalResource(serverUrl),
    metadata: server.metadata,
    zone: server.zone,
    scope: demand.challenge?.scope ?? joined(resource?.metadata.scopes_supported),
  };
}

/** 2025-03-26 has endpoints by default where there are no documents; silence is not the same as none. */
function oldServer(
  protocolVersion: string,
  issuer: string,
  attempts: readonly MetadataAttempt[],
): { metadata: JsonObject; zone: AddressZone | undefined } | undefined {
  if (protocolVersion !== "2025-03-26" || nobodyAnswered(attempts)) return undefined;
  return { metadata: defaultEndpoints(issuer), zone: undefined };
}

/** No answer, or only a gateway's: trying again later may help. */
function nobodyAnswered(attempts: readonly MetadataAttempt[]): boolean {
  return attempts.some(({ status }) => status === undefined || status >= 500);
}

function joined(scopes: unknown): string | undefined {
  return Array.isArray(scopes) && scopes.length > 0 ? scopes.join(" ") : undefined;
}
