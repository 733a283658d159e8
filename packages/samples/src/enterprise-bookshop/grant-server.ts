/**
 * An authorization server with one grant: an identity assertion of a trusted issuer, made out to it, for one of its clients.
 * Clients are known beforehand, register themselves, or are named by a metadata document on loopback.
 * @module
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { SCOPES } from "../oauth-bookshop/authorization-server.ts";
import type { FetchHandler } from "../serve-http.ts";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";

export interface GrantServerOptions {
  resource: () => string;
  /** Issuers whose grants are taken. */
  trustedIssuers: string[];
  /** What this server forgets to look at, to see whether someone notices. */
  careless?: readonly ("type" | "audience" | "client" | "expiry")[];
  /** Says in an error what it was sent, as careless servers do. */
  echoesGrants?: boolean;
}

interface Client {
  clientId: string;
  secret?: string;
  keys?: JSONWebKeySet;
}

class Refusal extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

export async function createGrantServer(
  issuer: string,
  options: GrantServerOptions,
): Promise<{ fetch: FetchHandler; client: { clientId: string; clientSecret: string } }> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "shop", alg: "RS256", use: "sig" }] };
  const known = { clientId: "company-agent", clientSecret: "company-agent-secret" };
  const clients = new Map<string, Client>([
    [known.clientId, { clientId: known.clientId, secret: known.clientSecret }],
  ]);
  const spent = new Set<string>();

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    if (form.get("grant_type") !== JWT_BEARER)
      throw new Refusal("unsupported_grant_type", "Only one is known.");
    const client = await authenticate(request, form);
    const grant = await readGrant(form.get("assertion") ?? "", client);
    const scope = String(form.get("scope") ?? grant.scope ?? SCOPES.join(" "));
    if (scope.split(" ").some((one) => !SCOPES.includes(one)))
      throw new Refusal("invalid_scope", "No such scope.");
    const access = await new SignJWT({ client_id: client.clientId, scope })
      .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "shop" })
      .setIssuer(issuer)
      .setAudience(options.resource())
      .setSubject(String(grant.sub))
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(privateKey);
    return json({ access_token: access, token_type: "Bearer", expires_in: 300, scope });
  }

  async function readGrant(assertion: string, client: Client): Promise<JWTPayload> {
    const forgets = (what: "type" | "audience" | "client" | "expiry") =>
      options.careless?.includes(what) ?? false;
    try {
      const { iss } = decodeJwt(assertion);
      if (!options.trustedIssuers.includes(String(iss)))
        throw new Refusal("invalid_grant", `Not trusted: ${iss}`);
      const { payload } = await jwtVerify(assertion, await keysOf(String(iss)), {
        ...(!forgets("type") && { typ: "oauth-id-jag+jwt" }),
        ...(!forgets("audience") && { audience: issuer }),
        ...(forgets("expiry") && { currentDate: new Date(0) }),
        requiredClaims: ["sub", "jti", "client_id"],
      });
      if (!forgets("client") && payload.client_id !== client.clientId) {
        throw new Refusal("invalid_grant", "The grant is for another client.");
      }
      if (payload.resource !== undefined && payload.resource !== options.resource()) {
        throw new Refusal("invalid_target", "The grant is for another resource.");
      }
      if (spent.has(String(payload.jti))) throw new Refusal("invalid_grant", "The grant was used before.");
      spent.add(String(payload.jti));
      return payload;
    } catch (error) {
      const description = options.echoesGrants ? `Refused: ${assertion}` : String((error as Error).message);
      throw new Refusal(error instanceof Refusal ? error.code : "invalid_grant", description);
    }
  }

  async function authenticate(request: Request, form: URLSearchParams): Promise<Client> {
    const basic = /^Basic (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    const [user, password] = basic
      ? Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent)
      : [];
    const clientId = user ?? form.get("client_id") ?? "";
    const client = clients.get(clientId) ?? (await readMetadataDocument(clientId));
    if (!client) throw new Refusal("invalid_client", "Unknown client.");
    if (client.keys) {
      const { payload } = await jwtVerify(
        form.get("client_assertion") ?? "",
        createLocalJWKSet(client.keys),
        {
          issuer: clientId,
          subject: clientId,
          audience: [issuer, `${issuer}/token`],
        },
      );
      if (spent.has(String(payload.jti)))
        throw new Refusal("invalid_client", "The assertion was used before.");
      spent.add(String(payload.jti));
    } else if (client.secret !== undefined && (password ?? form.get("client_secret")) !== client.secret) {
      throw new Refusal("invalid_client", "Wrong secret.");
    }
    return client;
  }

  async function register(request: Request): Promise<Response> {
    const asked = (await request.json()) as Record<string, unknown>;
    const clientId = `client-${randomUUID()}`;
    const secret = randomBytes(16).toString("hex");
    clients.set(clientId, { clientId, secret });
    return json({ ...asked, client_id: clientId, client_secret: secret, client_secret_expires_at: 0 }, 201);
  }

  const metadata = {
    issuer,
    token_endpoint: `${issuer}/token`,
    authorization_endpoint: `${issuer}/authorize`,
    registration_endpoint: `${issuer}/register`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: [JWT_BEARER],
    authorization_grant_profiles_supported: [ID_JAG_PROFILE],
    token_endpoint_auth_methods_supported: [
      "client_secret_basic",
      "client_secret_post",
      "private_key_jwt",
      "none",
    ],
    client_id_metadata_document_supported: true,
  };

  const routes: Record<string, (request: Request) => Promise<Response>> = {
    "GET /.well-known/oauth-authorization-server": async () => json(metadata),
    "GET /.well-known/openid-configuration": async () => json(metadata),
    "GET /jwks": async () => json(jwks),
    "POST /register": register,
    "POST /token": token,
  };
  const fetch: FetchHandler = async (request) => {
    const route = routes[`${request.method} ${new URL(request.url).pathname}`];
    if (!route) return new Response("Not found", { status: 404 });
    try {
      return await route(request);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : "invalid_client";
      return json(
        { error: code, error_description: (error as Error).message },
        code === "invalid_client" ? 401 : 400,
      );
    }
  };
  return { fetch, client: known };
}

async function keysOf(issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri } = (await answer.json()) as { jwks_uri: string };
  return createRemoteJWKSet(new URL(jwks_uri));
}

async function readMetadataDocument(clientId: string): Promise<Client | undefined> {
  if (URL.parse(clientId)?.hostname !== "127.0.0.1") return undefined;
  const answer = await fetch(clientId);
  if (!answer.ok) return undefined;
  const document = (await answer.json()) as { client_id?: string; jwks?: JSONWebKeySet };
  if (document.client_id !== clientId) return undefined;
  return { clientId, ...(document.jwks && { keys: document.jwks }) };
}

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
