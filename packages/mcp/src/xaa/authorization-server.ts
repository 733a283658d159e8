/** @module Whose tokens the MCP server takes, and what that authorization server says it can do. */
import { McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";
import {
  discoverResourceMetadata,
  discoverServerMetadata,
  readProtectedResource,
} from "../oauth/discovery.ts";
import { grantProfile, grantTypes } from "../oauth/grant-types.ts";
import { canonicalResource } from "../oauth/metadata-urls.ts";
import type { Evidence, XaaStepName } from "./result.ts";

export interface ResourceServer {
  issuer: string;
  tokenEndpoint: string;
  /** Empty when discovery was skipped. */
  metadata: JsonObject;
  resource: string;
  /** Zone of the server that named the endpoints; absent when a person did. */
  zone: AddressZone | undefined;
  evidence: { idJagProfile: Evidence; jwtBearerGrant: Evidence; tokenEndpointAuthMethods?: string[] };
}

interface Wanted {
  url: string;
  authzServerIssuer?: string | undefined;
  tokenEndpoint?: string | undefined;
  signal?: AbortSignal | undefined;
}

export type Step = <T>(name: XaaStepName, work: () => Promise<{ value: T; detail: string }>) => Promise<T>;

export async function readAuthorizationServer(
  http: HttpClient,
  wanted: Wanted,
  step: Step,
): Promise<ResourceServer> {
  const { url, signal } = wanted;
  const named = wanted.authzServerIssuer;
  const found =
    named === undefined
      ? await step("discover_resource_metadata", () => discoverResource(http, wanted))
      : { issuer: named, resource: canonicalResource(url), zone: undefined };
  if (wanted.tokenEndpoint !== undefined) {
    return {
      ...found,
      tokenEndpoint: wanted.tokenEndpoint,
      metadata: {},
      zone: undefined,
      evidence: { idJagProfile: "unknown", jwtBearerGrant: "unknown" },
    };
  }
  return step("discover_authz_metadata", async () => {
    const { found: document, attempts } = await discoverServerMetadata(http, found.issuer, "2025-11-25", {
      signal,
      suppliedFrom: found.zone,
    });
    if (!document) {
      throw new McpError("OAUTH", `${found.issuer} publishes no metadata: ${tried(attempts)}.`, {
        hint: "Name its token endpoint with --token-endpoint to go on without.",
      });
    }
    const { metadata } = document;
    if (typeof metadata.token_endpoint !== "string") {
      throw new McpError("OAUTH", `${document.url} names no token_endpoint.`);
    }
    // The grant is made out to this name: it must be the server's own.
    const issuer = typeof metadata.issuer === "string" ? metadata.issuer : found.issuer;
    const value: ResourceServer = {
      issuer,
      resource: found.resource,
      tokenEndpoint: metadata.token_endpoint,
      metadata,
      zone: document.zone,
      evidence: evidenceIn(metadata),
    };
    return { value, detail: `Token endpoint ${metadata.token_endpoint}, found at ${document.url}` };
  });
}

async function discoverResource(http: HttpClient, { url, signal }: Wanted) {
  const { found, attempts } = await discoverResourceMetadata(http, url, undefined, { signal });
  if (!found) {
    throw new McpError("OAUTH", `The server publishes no protected-resource metadata: ${tried(attempts)}.`, {
      hint: "Name its authorization server with --authz-server-issuer to go on without.",
    });
  }
  const {
    resource,
    authorizationServers: [issuer],
    zone,
  } = readProtectedResource(found, url);
  return { value: { issuer, resource, zone }, detail: `${found.url} names ${issuer}` };
}

function tried(attempts: readonly { url: string; status?: number; error?: string }[]): string {
  return attempts.map(({ url, status, error }) => `${url} ${status ?? error ?? "no answer"}`).join(", ");
}

function evidenceIn(metadata: JsonObject): ResourceServer["evidence"] {
  const methods = metadata.token_endpoint_auth_methods_supported;
  return {
    idJagProfile: lists(metadata.authorization_grant_profiles_supported, grantProfile),
    jwtBearerGrant: lists(metadata.grant_types_supported, grantTypes.jwtBearer),
    ...(Array.isArray(methods) && { tokenEndpointAuthMethods: methods.map(String) }),
  };
}

function lists(value: unknown, item: string): Evidence {
  return Array.isArray(value) && value.includes(item) ? "advertised" : "not_advertised";
}
