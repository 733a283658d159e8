/** @module Who guards a server: protected-resource metadata, the authorization server's, and how a client could register there. */
import {
  type AddressZone,
  asMcpError,
  discoverResourceMetadata,
  discoverServerMetadata,
  type HttpClient,
  type JsonObject,
  type MetadataAttempt,
  redactKnowing,
  resourceMetadataMissing,
  serverMetadataMissing,
} from "@fettle/mcp";
import type { AttemptName, ProbeAttempt, ProbeOauth, RegistrationStrategy } from "./probe-report.ts";

interface OauthQuestion {
  serverUrl: string;
  /** Where the server's challenge says its metadata is. */
  pointer: string | undefined;
  protocolVersion: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

interface OauthFindings {
  oauth: Omit<ProbeOauth, "required" | "optional" | "wwwAuthenticate">;
  attempts: ProbeAttempt[];
}

export async function discoverOauth(client: HttpClient, question: OauthQuestion): Promise<OauthFindings> {
  const { serverUrl, pointer, timeoutMs, signal } = question;
  const attempts: ProbeAttempt[] = [];
  const oauth: OauthFindings["oauth"] = { registrationStrategies: ["preregistered"] };
  try {
    const resource = await discoverResourceMetadata(client, serverUrl, pointer, { timeoutMs, signal });
    attempts.push(...resource.attempts.map((attempt) => toAttempt("resource_metadata", attempt)));
    if (!resource.found) {
      oauth.discoveryError = resourceMetadataMissing(resource, pointer);
      return { oauth, attempts };
    }
    oauth.resourceMetadataUrl = resource.found.url;
    oauth.resourceMetadata = resource.found.metadata;
    const issuer = firstIssuer(resource.found.metadata);
    if (issuer === undefined) {
      oauth.discoveryError = "The protected-resource metadata names no authorization server.";
      return { oauth, attempts };
    }
    await findServer(client, question, { issuer, zone: resource.found.zone, oauth, attempts });
  } catch (error) {
    oauth.discoveryError = asMcpError(error).message;
  }
  return { oauth, attempts };
}

async function findServer(
  client: HttpClient,
  { protocolVersion, timeoutMs, signal }: OauthQuestion,
  into: OauthFindings & { issuer: string; zone: AddressZone },
): Promise<void> {
  const { issuer, zone, oauth, attempts } = into;
  const server = await discoverServerMetadata(client, issuer, protocolVersion, {
    timeoutMs,
    signal,
    suppliedFrom: zone,
  });
  attempts.push(...server.attempts.map((attempt) => toAttempt("authorization_server_metadata", attempt)));
  if (!server.found) {
    const { why, unreached } = serverMetadataMissing(server, issuer);
    oauth.discoveryError = why;
    if (unreached) oauth.authorizationServerUnreached = true;
    return;
  }
  oauth.authorizationServerMetadataUrl = server.found.url;
  oauth.authorizationServerMetadata = server.found.metadata;
  oauth.registrationStrategies = strategiesOf(server.found.metadata, protocolVersion);
}

/** How a client may become known there; an agreed client id always works. */
function strategiesOf(metadata: JsonObject, protocolVersion: string): RegistrationStrategy[] {
  return [
    "preregistered",
    ...(typeof metadata.registration_endpoint === "string" ? (["dcr"] as const) : []),
    ...(metadata.client_id_metadata_document_supported === true && protocolVersion >= "2025-11-25"
      ? (["cimd"] as const)
      : []),
  ];
}

function firstIssuer({ authorization_servers: servers }: JsonObject): string | undefined {
  return Array.isArray(servers) ? servers.find((server) => typeof server === "string") : undefined;
}

function toAttempt(name: AttemptName, attempt: MetadataAttempt): ProbeAttempt {
  const { url, durationMs, status, headers = {}, contentType, body, error } = attempt;
  return redactKnowing(
    {
      name,
      request: { method: "GET", url, headers: { accept: "application/json" } },
      ...(status !== undefined && {
        response: {
          status,
          statusText: "",
          headers,
          ...(contentType && { contentType }),
          ...(body !== undefined && { body }),
        },
      }),
      ...(error !== undefined && { error }),
      durationMs,
    },
    [],
  );
}
