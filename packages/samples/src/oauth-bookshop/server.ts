/**
 * The bookshop behind OAuth: the same shop, but every request needs an access token of its own authorization server.
 * @module
 */
import {
  getOAuthProtectedResourceMetadataUrl,
  type OAuthMetadata,
  type OAuthTokenVerifier,
  oauthMetadataResponse,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { openBookshop } from "../bookshop/server.ts";
import { loopbackOnly } from "../mcp-endpoint.ts";
import { atPath, type ListenOptions, listen, nodeListener, type RunningSample } from "../serve-http.ts";
import {
  MACHINE_CLIENT,
  REGISTERED_CLIENT,
  SCOPES,
  startAuthorizationServer,
} from "./authorization-server.ts";
import type { Bend } from "./bend.ts";
import { brokenShop } from "./broken.ts";
import type { BrokenShop } from "./broken-shop.ts";
import { followToCallback, type SignedIn, signIn } from "./sign-in.ts";
import { jwtVerifier, providersVerifier, type TokenRules } from "./token-verifiers.ts";

export interface ProtectedBookshopOptions extends ListenOptions {
  /** "automatic" (default) agrees at once; "page" shows a consent page with two buttons. */
  consent?: "automatic" | "page";
  /** How long access tokens live, 300 by default; make it short to see a refresh. */
  accessTokenSeconds?: number;
  /** One thing done wrong, by its name in `BROKEN_SHOPS`. */
  broken?: string;
}

export interface ProtectedBookshop {
  /** The MCP endpoint: 401 without a token. */
  url: string;
  issuer: string;
  /** May use the authorization code flow with a loopback redirect to /callback. */
  registeredClient: { clientId: string; clientSecret: string };
  /** May use the client credentials grant. */
  machineClient: { clientId: string; clientSecret: string };
  /** Walks the whole authorization code flow as a new client and returns its tokens. Needs automatic consent. */
  signIn(scope?: string): Promise<SignedIn>;
  /** Plays the person's browser: from a client's authorization address to the answer at its redirect. Needs automatic consent. */
  agree(authorizationUrl: string, redirectUri: string): Promise<URL>;
  close(): Promise<void>;
}

export async function runProtectedBookshop(
  options: ProtectedBookshopOptions = {},
): Promise<ProtectedBookshop> {
  let url = "";
  const { bend, tokens }: Omit<BrokenShop, "about"> =
    options.broken === undefined ? { bend: {} } : brokenShop(options.broken);
  const authorization = await startAuthorizationServer({
    resource: () => url,
    consent: options.consent ?? "automatic",
    accessTokenSeconds: options.accessTokenSeconds ?? 300,
    bend: bend.authorization,
    tokens,
  });
  const { metadata, provider } = authorization;
  const openTo = (address: string): TokenRules => ({
    address,
    ...(!tokens?.audienceUnchecked && { audience: address }),
  });
  const shop = await guardShop(authorization.issuer, options, {
    metadata,
    bend: bend.shop,
    verifierFor: tokens?.opaque
      ? (address) => providersVerifier(provider, openTo(address))
      : (address, jwksUri) => jwtVerifier(authorization.issuer, jwksUri, openTo(address)),
  });
  url = shop.url;

  return {
    url,
    issuer: authorization.issuer,
    registeredClient: REGISTERED_CLIENT,
    machineClient: MACHINE_CLIENT,
    signIn: (scope = SCOPES.join(" ")) => signIn(authorization.issuer, url, scope),
    agree: (authorizationUrl, redirectUri) => followToCallback(new URL(authorizationUrl), redirectUri),
    async close() {
      await Promise.all([shop.close(), authorization.http.close()]);
    },
  };
}

/** The bookshop, open only to tokens that this authorization server made for it. */
export async function guardShop(
  issuer: string,
  options: ListenOptions,
  {
    metadata = metadataOf(issuer),
    bend,
    verifierFor = (address, jwksUri) => jwtVerifier(issuer, jwksUri, { address, audience: address }),
  }: {
    metadata?: () => Promise<unknown>;
    bend?: Bend | undefined;
    verifierFor?: (address: string, jwksUri: string) => OAuthTokenVerifier;
  } = {},
): Promise<RunningSample> {
  const oauthMetadata = (await metadata()) as OAuthMetadata;
  const shop = openBookshop({ orderScope: "orders:write" });
  let serve = async (_request: Request): Promise<Response> => new Response(null, { status: 503 });
  const http = await listen(
    nodeListener((request) => (bend ? bend(request, serve) : serve(request))),
    options,
  );
  const url = `${http.origin}/mcp`;

  const resourceServerUrl = new URL(url);
  const requireToken = requireBearerAuth({
    verifier: verifierFor(url, oauthMetadata.jwks_uri as string),
    requiredScopes: ["books:read"],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
    expectedResource: resourceServerUrl,
  });
  const serveMcp = atPath("/mcp", async (request) => {
    const auth = await requireToken(request);
    return auth instanceof Response ? auth : shop.fetch(request, { authInfo: auth });
  });
  serve = loopbackOnly(
    options.host,
    async (request) =>
      oauthMetadataResponse(request, {
        oauthMetadata,
        resourceServerUrl,
        scopesSupported: SCOPES,
        resourceName: "The Lantern Bookshop",
      }) ?? serveMcp(request),
  );
  return {
    url,
    async close() {
      await shop.close();
      await http.close();
    },
  };
}

const metadataOf = (issuer: string) => async (): Promise<unknown> =>
  (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
