/** @module Who we are at the authorization server: a client it knows, one that registers now, or one named by a metadata document. */
import { McpError } from "../failure.ts";
import type { HttpClient } from "../guard/client.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { grantProfile, grantTypes } from "../oauth/grant-types.ts";
import { ask, oauthErrorOf } from "./ask.ts";
import type { ResourceServer, Step } from "./authorization-server.ts";
import type { SigningKey } from "./keys.ts";
import type { RegistrationWarning, TokenEndpointAuthMethod } from "./result.ts";

export type XaaRegistration =
  | {
      strategy: "preregistered";
      clientId: string;
      clientSecret?: string | undefined;
      method?: TokenEndpointAuthMethod | undefined;
    }
  | { strategy: "dcr" }
  /** With a key the client proves itself; without it is a public one. */
  | { strategy: "cimd"; clientId: string; key?: SigningKey | undefined };

export interface XaaClient {
  clientId: string;
  secret?: string | undefined;
  key?: SigningKey | undefined;
  method: TokenEndpointAuthMethod;
  /** Why this method. */
  reason: string;
  warnings: RegistrationWarning[];
}

interface Registering {
  registration: XaaRegistration;
  scope?: string | undefined;
  signal?: AbortSignal | undefined;
}

export async function becomeClient(
  http: HttpClient,
  server: ResourceServer,
  options: Registering,
  step: Step,
): Promise<XaaClient> {
  const { registration } = options;
  if (registration.strategy === "preregistered") return knownClient(server, registration);
  if (registration.strategy === "dcr") {
    return step("request_client_registration", () => register(http, server, options));
  }
  const { clientId, key } = registration;
  return step("fetch_client_metadata_document", () => readOwnDocument(http, clientId, key, options.signal));
}

function knownClient(
  { metadata }: ResourceServer,
  { clientId, clientSecret, method }: Extract<XaaRegistration, { strategy: "preregistered" }>,
): XaaClient {
  const client = { clientId, secret: clientSecret, warnings: [] };
  if (method !== undefined) return { ...client, method, reason: "as asked" };
  if (clientSecret === undefined) return { ...client, method: "none", reason: "no secret was given" };
  return { ...client, ...methodWithSecret(metadata) };
}

function methodWithSecret(metadata: JsonObject): Pick<XaaClient, "method" | "reason"> {
  const offered = metadata.token_endpoint_auth_methods_supported;
  if (!Array.isArray(offered))
    return { method: "client_secret_basic", reason: "the default, none are advertised" };
  if (offered.includes("client_secret_basic")) return { method: "client_secret_basic", reason: "advertised" };
  if (offered.includes("client_secret_post")) return { method: "client_secret_post", reason: "advertised" };
  return { method: "client_secret_basic", reason: "the default, though it is not advertised" };
}

async function register(http: HttpClient, server: ResourceServer, { scope, signal }: Registering) {
  const endpoint = server.metadata.registration_endpoint;
  if (typeof endpoint !== "string") {
    throw new McpError("OAUTH", "The authorization server registers no clients by itself.", {
      hint: "Register a client by hand and give it with --client-id, or use --registration cimd.",
    });
  }
  const { method } = methodWithSecret(server.metadata);
  const asked = {
    client_name: "Fettle cross-app access",
    grant_types: [grantTypes.jwtBearer],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: method,
    authorization_grant_profiles: [grantProfile],
    ...(scope !== undefined && { scope }),
  };
  const answer = await ask(http, { url: endpoint, json: asked, suppliedFrom: server.zone, signal });
  const { body, status } = answer;
  if (status < 200 || status > 299 || !isObject(body) || typeof body.client_id !== "string") {
    throw new McpError("OAUTH", `The registration endpoint refused: ${oauthErrorOf(answer)}.`);
  }
  const secret = typeof body.client_secret === "string" ? body.client_secret : undefined;
  const granted = body.token_endpoint_auth_method;
  const value: XaaClient = {
    clientId: body.client_id,
    secret,
    method: secret === undefined ? "none" : granted === "client_secret_post" ? granted : method,
    reason: secret === undefined ? "the registration gave no secret" : "as registered",
    warnings: registrationWarnings(answer.status, answer.headers, body),
  };
  return { value, detail: `Registered as ${body.client_id}; the registration stays behind` };
}

interface WarningRule extends RegistrationWarning {
  when(body: JsonObject, headers: Record<string, string>, status: number): boolean;
}

const includes = (value: unknown, item: string) => Array.isArray(value) && value.includes(item);

const warningRules: readonly WarningRule[] = [
  {
    code: "public_client",
    message: "The registration gave no secret: whoever learns the client id may use it.",
    when: (body) => typeof body.client_secret !== "string",
  },
  {
    code: "profile_metadata_not_echoed",
    message: "The answer does not repeat the identity-assertion profile that was asked for.",
    when: (body) => !includes(body.authorization_grant_profiles, grantProfile),
  },
  {
    code: "grant_types_not_echoed",
    message: "The answer does not list the JWT bearer grant.",
    when: (body) => !includes(body.grant_types, grantTypes.jwtBearer),
  },
  {
    code: "auth_method_not_echoed",
    message: "The answer does not say how the client authenticates.",
    when: (body) => typeof body.token_endpoint_auth_method !== "string",
  },
  {
    code: "missing_secret_expiry",
    message: "A secret came without client_secret_expires_at.",
    when: (body) =>
      typeof body.client_secret === "string" && typeof body.client_secret_expires_at !== "number",
  },
  {
    code: "non_201_success",
    message: "A registration is answered with 201.",
    when: (_body, _headers, status) => status !== 201,
  },
  {
    code: "non_json_content_type",
    message: "The answer is not labelled application/json.",
    when: (_body, headers) => !/^application\/json\b/i.test(headers["content-type"] ?? ""),
  },
  {
    code: "missing_no_store",
    message: "An answer with credentials says Cache-Control: no-store.",
    when: (_body, headers) => !/\bno-store\b/i.test(headers["cache-control"] ?? ""),
  },
];

function registrationWarnings(
  status: number,
  headers: Record<string, string>,
  body: JsonObject,
): RegistrationWarning[] {
  return warningRules
    .filter(({ when }) => when(body, headers, status))
    .map(({ code, message }) => ({ code, message }));
}

/** The authorization server will read the same document: what is wrong with it is found here first. */
async function readOwnDocument(
  http: HttpClient,
  clientId: string,
  key: SigningKey | undefined,
  signal: AbortSignal | undefined,
) {
  const answer = await ask(http, { url: clientId, signal });
  const document = answer.body;
  if (answer.status !== 200 || !isObject(document)) {
    throw new McpError("OAUTH", `The client metadata document answers ${answer.status}, not a JSON object.`, {
      details: { url: clientId },
    });
  }
  if (document.client_id !== clientId) {
    throw new McpError(
      "OAUTH",
      `The document at ${clientId} is for the client ${String(document.client_id)}.`,
    );
  }
  if (key && document.token_endpoint_auth_method !== "private_key_jwt") {
    throw new McpError("OAUTH", "The client metadata document does not ask for private_key_jwt.");
  }
  const value: XaaClient = {
    clientId,
    key,
    method: key ? "private_key_jwt" : "none",
    reason: key ? "the key is the identity" : "a public client",
    warnings: key
      ? []
      : [
          {
            code: "public_client",
            message: "Without a key anyone may use this client id; try --client-auth private-key-jwt.",
          },
        ],
  };
  return { value, detail: `The client metadata document is served at its own address` };
}
