/** @module Becoming a client of an authorization server that has never heard of us: dynamic registration (RFC 7591). */
import { McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import { checkOauthUrl, isLoopbackHost } from "../guard/policy.ts";
import { parseJsonWithin } from "../json-text.ts";
import { excerptOf, isObject, type JsonObject } from "../jsonrpc.ts";
import type { ClientAuthentication, OauthClient } from "./tokens.ts";

export interface RegistrationRequest {
  http: HttpClient;
  /** Authorization-server metadata; names the endpoint and how it authenticates clients. */
  server: JsonObject;
  clientName: string;
  redirectUri: string;
  scope?: string | undefined;
  signal?: AbortSignal | undefined;
  suppliedFrom?: AddressZone | undefined;
}

/** What a client says of itself, sent to the registration endpoint or published as a metadata document. */
export interface ClientMetadata {
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: ClientAuthentication;
  /** A redirect to this machine makes an application a native one; authorization servers treat its port as free. */
  application_type: "native" | "web";
  scope?: string;
}

export function clientMetadata(
  client: Pick<RegistrationRequest, "clientName" | "redirectUri" | "scope">,
  authentication: ClientAuthentication,
): ClientMetadata {
  return {
    client_name: client.clientName,
    redirect_uris: [client.redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: authentication,
    application_type: isLoopbackHost(new URL(client.redirectUri).hostname) ? "native" : "web",
    ...(client.scope !== undefined && { scope: client.scope }),
  };
}

/** A public client where that is allowed: PKCE protects the code, and there is no secret to keep. */
export function registrableAuthentication(server: JsonObject): ClientAuthentication {
  const advertised = server.token_endpoint_auth_methods_supported;
  if (!Array.isArray(advertised) || advertised.includes("none")) return "none";
  return advertised.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
}

export async function registerClient(request: RegistrationRequest): Promise<OauthClient> {
  const { server } = request;
  if (typeof server.registration_endpoint !== "string") {
    throw new McpError("OAUTH", "The authorization server registers no clients by itself.", {
      hint: "Register a client there by hand, and save its id with the server.",
    });
  }
  const response = await request.http.request({
    method: "POST",
    url: checkOauthUrl(server.registration_endpoint),
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(clientMetadata(request, registrableAuthentication(server))),
    signal: request.signal,
    maxBodyBytes: 256 * 1024,
    redirect: "manual",
    suppliedFrom: request.suppliedFrom,
  });
  const text = await response.text();
  const parsed = parseJsonWithin(text, { jsonDepth: 16, jsonElements: 5_000 });
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  if (response.status < 200 || response.status > 299 || typeof body.client_id !== "string") {
    const error = typeof body.error === "string" ? body.error : undefined;
    throw new McpError(
      "OAUTH",
      `The registration endpoint refused: ${error ?? `status ${response.status}`}.`,
      {
        details: {
          status: response.status,
          ...(error ? { oauthError: error } : { excerpt: excerptOf(text) }),
        },
      },
    );
  }
  return {
    clientId: body.client_id,
    ...(typeof body.client_secret === "string" && { clientSecret: body.client_secret }),
  };
}
