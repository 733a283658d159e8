/**
 * A real authorization server on loopback for the protected bookshop: dynamic registration, PKCE, resource indicators,
 * JWT access tokens, rotating refresh tokens. Its only user is "reader", who agrees to everything unless told otherwise.
 * @module
 */
import { generateKeyPair, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import Provider, { type Configuration, errors, type Interaction } from "oidc-provider";
import { listen, type RunningServer } from "../serve-http.ts";
import { type Bend, listenBent } from "./bend.ts";
import type { TokenHabits } from "./broken-shop.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";

export const SCOPES = ["books:read", "orders:write"];

/** Known from the start, for clients that do not register themselves. Not secret: they live as long as one test. */
export const REGISTERED_CLIENT = { clientId: "bookshop-client", clientSecret: "bookshop-client-secret" };
export const MACHINE_CLIENT = { clientId: "bookshop-machine", clientSecret: "bookshop-machine-secret" };

export interface AuthorizationServerOptions {
  /** The protected resource, known only once its own port is. */
  resource: () => string;
  /** Agree at once, or show a page with two buttons and wait for a person. */
  consent: "automatic" | "page";
  accessTokenSeconds: number;
  /** Stands before the provider and may change what it is asked and what it answers. */
  bend?: Bend | undefined;
  tokens?: TokenHabits | undefined;
}

export interface AuthorizationServer {
  issuer: string;
  provider: Provider;
  /** Its metadata as it means it. */
  metadata(): Promise<unknown>;
  http: RunningServer;
}

export async function startAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  let handle = (_req: IncomingMessage, _res: ServerResponse): unknown => undefined;
  const inner = (req: IncomingMessage, res: ServerResponse) => void handle(req, res);
  // The issuer contains the port, so the port comes first.
  const http = options.bend
    ? await listenBent(inner, options.bend)
    : { ...(await listen(inner)), unbent: (address: string) => fetch(address) };
  const provider = new Provider(http.origin, await configuration(options));
  const serveProvider = provider.callback();
  handle = (req, res) =>
    req.url?.startsWith("/interaction/")
      ? interact(provider, options, req, res).catch(() => res.writeHead(400).end("This sign-in has expired."))
      : serveProvider(req, res);
  const metadata = async () => (await http.unbent(`${http.origin}/.well-known/openid-configuration`)).json();
  return { issuer: http.origin, provider, metadata, http };
}

/** Made once: a key costs more than all the rest of a start. */
let signingKey: ReturnType<typeof makeSigningKey> | undefined;
const makeSigningKey = () => promisify(generateKeyPair)("rsa", { modulusLength: 2048 });

async function configuration(options: AuthorizationServerOptions): Promise<Configuration> {
  signingKey ??= makeSigningKey();
  const { privateKey } = await signingKey;
  const { forAnyResource = false, opaque = false } = options.tokens ?? {};
  return {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "bookshop" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    clients: [
      {
        client_id: REGISTERED_CLIENT.clientId,
        client_secret: REGISTERED_CLIENT.clientSecret,
        // A native client may come back on any loopback port.
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
        grant_types: ["authorization_code", "refresh_token"],
      },
      {
        client_id: MACHINE_CLIENT.clientId,
        client_secret: MACHINE_CLIENT.clientSecret,
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
      },
    ],
    scopes: ["openid", "offline_access", ...SCOPES],
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    // The provider reads clients' documents from public addresses only; here everything is on this machine.
    fetch: (url, options) => {
      const { dispatcher: _publicOnly, ...rest } = (options ?? {}) as RequestInit & { dispatcher?: unknown };
      return fetch(url, rest);
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    clientBasedCORS: () => true,
    ttl: {
      AccessToken: options.accessTokenSeconds,
      ClientCredentials: options.accessTokenSeconds,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    features: {
      devInteractions: { enabled: false },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      introspection: { enabled: opaque },
      resourceIndicators: {
        enabled: true,
        defaultResource: options.resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== options.resource() && !forAnyResource) throw new errors.InvalidTarget();
          return {
            scope: SCOPES.join(" "),
            audience: resource,
            accessTokenTTL: options.accessTokenSeconds,
            ...(opaque
              ? { accessTokenFormat: "opaque" }
              : { accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } }),
          };
        },
      },
    },
  };
}

async function interact(
  provider: Provider,
  options: AuthorizationServerOptions,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(req, res);
  if (interaction.prompt.name === "login") {
    return provider.interactionFinished(req, res, { login: { accountId: "reader" } });
  }
  if (options.consent === "page" && req.method === "GET") {
    res.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
    });
    res.end(consentPage(interaction.uid));
    return;
  }
  if (req.url?.endsWith("/deny")) {
    return provider.interactionFinished(req, res, {
      error: "access_denied",
      error_description: "The reader said no.",
    });
  }
  const grantId = await agree(provider, interaction);
  return provider.interactionFinished(req, res, { consent: { grantId } }, { mergeWithLastSubmission: true });
}

async function agree(provider: Provider, { params, prompt, session, grantId }: Interaction): Promise<string> {
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  return grant.save();
}

function consentPage(uid: string): string {
  return `<!doctype html><title>Bookshop sign-in</title><h1>May this application use your bookshop account?</h1>
<form method="post" action="/interaction/${uid}/allow"><button>Allow</button></form>
<form method="post" action="/interaction/${uid}/deny"><button>Deny</button></form>`;
}
