/** @module Becoming a client of an authorization server that has never heard of us: dynamic registration (RFC 7591). */
import { McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import { checkOauthUrl, isLoopbackHost } from "../guard/policy.ts";
import { parseJsonWithin } from "../messages/json-text.ts";
import { excerptOf, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import type { ClientAuthentication, OauthClient } from "./tokens.ts";

export interface RegistrationRequest {
  http: HttpClient;
  /** Authorization-server metadata; names the endpoint and how it authenticates clients. */
  server: JsonObject;
  clientName: string;
  redirectUri: string;
  scope?: string | undefined;
  /** What the client will ask tokens with; a person's consent unless said. */
  grant?: "authorization_code" | "client_credentials";
  /** Said besides, or instead, by whoever tests the endpoint. */
  also?: JsonObject | undefined;
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
  client: Pick<RegistrationRequest, "clientName" | "redirectUri" | "scope" | "grant">,
  authentication: ClientAuthentication,
): ClientMetadata {
  const isMachine = client.grant === "client_credentials";
  return {
    client_name: client.clientName,
    redirect_uris: isMachine ? [] : [client.redirectUri],
    grant_types: isMachine ? ["client_credentials"] : ["authorization_code", "refresh_token"],
    response_types: isMachine ? [] : ["code"],
    token_endpoint_auth_method: authentication,
    application_type: isLoopbackHost(new URL(client.redirectUri).hostname) ? "native" : "web",
    ...(client.scope !== undefined && { scope: client.scope }),
  };
}

/** A public client where that is allowed: PKCE protects the code, and there is no secret to keep. */
function registrableAuthentication(
  server: JsonObject,
  grant: RegistrationRequest["grant"],
): ClientAuthentication {
  const advertised = server.token_endpoint_auth_methods_supported;
  // A machine has nobody who consents: its secret is all that proves who it is.
  if (grant === "client_credentials") return lists(advertised, "client_secret_basic");
  if (!Array.isArray(advertised) || advertised.includes("none")) return "none";
  return lists(advertised, "client_secret_basic");
}

function lists(advertised: unknown, preferred: "client_secret_basic"): ClientAuthentication {
  return !Array.isArray(advertised) || advertised.includes(preferred) ? preferred : "client_secret_post";
}

export interface RegistrationAnswer {
  status: number;
  /** Empty when the answer is no JSON object. */
  body: JsonObject;
  text: string;
}

export async function registerClient(request: RegistrationRequest): Promise<OauthClient> {
  return readRegistration(await requestRegistration(request));
}

/** Asks to be registered; the answer is handed over whatever it is. */
export async function requestRegistration(request: RegistrationRequest): Promise<RegistrationAnswer> {
  const { server, grant } = request;
  if (typeof server.registration_endpoint !== "string") {
    throw new McpError("OAUTH", "The authorization server registers no clients by itself.", {
      hint: "Register a client there by hand, and save its id with the server.",
    });
  }
  const response = await request.http.request({
    method: "POST",
    url: checkOauthUrl(server.registration_endpoint),
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({
      ...clientMetadata(request, registrableAuthentication(server, grant)),
      ...request.also,
    }),
    signal: request.signal,
    maxBodyBytes: 256 * 1024,
    redirect: "manual",
    suppliedFrom: request.suppliedFrom,
  });
  const text = await response.text();
  const parsed = parseJsonWithin(text, { jsonDepth: 16, jsonElements: 5_000 });
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  return { status: response.status, body, text };
}

export function readRegistration({ status, body, text }: RegistrationAnswer): OauthClient {
  const { client_id, client_secret, token_endpoint_auth_method: method } = body;
  if (status < 200 || status > 299 || typeof client_id !== "string") {
    const error = typeof body.error === "string" ? body.error : undefined;
    const what =
      status < 200 || status > 299
        ? `The registration endpoint refused: ${error ?? `status ${status}`}.`
        : "The registration endpoint's answer holds no client_id.";
    throw new McpError("OAUTH", what, {
      details: { status, ...(error ? { oauthError: error } : { excerpt: excerptOf(text) }) },
    });
  }
  return {
    clientId: client_id,
    ...(typeof client_secret === "string" && { clientSecret: client_secret }),
    ...(isAuthentication(method) && { authentication: method }),
  };
}

function isAuthentication(method: unknown): method is ClientAuthentication {
  return method === "none" || method === "client_secret_basic" || method === "client_secret_post";
}
