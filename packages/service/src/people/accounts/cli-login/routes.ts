/** @module The command line's login over HTTP: OAuth's own endpoints, whose shapes are the RFCs' and not the contract's. */
import type { App } from "../../../core/app.ts";
import { requireToken } from "../../../core/limits/limits.ts";
import { networkOf } from "../../../core/limits/network.ts";
import type { RawRoute } from "../../../core/routing/raw-route.ts";
import { originOf } from "../origin.ts";
import { beginAuthorization, cliClientId } from "./authorization.ts";
import { exchangeGrant, oauthError, revokeToken } from "./grants.ts";
import { namedRedirectUri } from "./redirect-uri.ts";

const paths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
};

export const cliLoginRoutes: RawRoute[] = [
  {
    id: "getCliAuthConfig",
    methods: ["GET"],
    path: "/api/cli/auth/config",
    policy: "public",
    why: "Read by a command line before it has any credential; says only where to ask for one.",
    handle: ({ app, request, reply }) => {
      const origin = originOf(app.config, request.headers);
      reply.header("cache-control", "no-cache");
      return {
        issuer: origin,
        clientId: cliClientId,
        authStartUrl: origin + paths.authorize,
        tokenEndpoint: origin + paths.token,
        revocationEndpoint: origin + paths.revoke,
        redirectUri: namedRedirectUri,
      };
    },
  },
  {
    id: "getOAuthMetadata",
    methods: ["GET"],
    path: "/.well-known/oauth-authorization-server",
    policy: "public",
    why: "Authorization server metadata (RFC 8414), for clients that look it up.",
    handle: ({ app, request, reply }) => {
      const origin = originOf(app.config, request.headers);
      reply.header("cache-control", "no-cache");
      return {
        issuer: origin,
        authorization_endpoint: origin + paths.authorize,
        token_endpoint: origin + paths.token,
        revocation_endpoint: origin + paths.revoke,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      };
    },
  },
  {
    id: "startCliAuthorization",
    methods: ["GET"],
    path: paths.authorize,
    policy: "public",
    why: "A browser is sent here by the command line. Only notes the request; a signed-in person's click gives it anything.",
    handle: async ({ app, request, reply }) => {
      await requireToken(app.pool, "cliLogin", networkOf(request.ip));
      const query = request.query as Record<string, unknown>;
      const begun = await beginAuthorization(app, query, originOf(app.config, request.headers));
      if (begun.kind === "asked") return reply.redirect(`/cli/authorize?request=${begun.id}`, 303);
      if (begun.kind === "refused") return reply.redirect(begun.redirectUrl, 303);
      return reply.status(400).type("text/plain; charset=utf-8").send(begun.message);
    },
  },
  {
    id: "exchangeCliGrant",
    methods: ["POST"],
    path: paths.token,
    policy: "own",
    body: "form",
    why: "The token endpoint (RFC 6749): the single-use code with its PKCE verifier, or the refresh token, is the credential.",
    handle: async ({ app, request, reply }) => {
      reply.header("cache-control", "no-store");
      const form = await readForm(app, request);
      const answer = form ? await exchangeGrant(app, form) : repeated;
      if ("error" in answer) return reply.status(answer.error === "invalid_client" ? 401 : 400).send(answer);
      return answer;
    },
  },
  {
    id: "revokeCliToken",
    methods: ["POST"],
    path: paths.revoke,
    policy: "own",
    body: "form",
    why: "Token revocation (RFC 7009): whoever holds a token may give it up.",
    handle: async ({ app, request, reply }) => {
      const form = await readForm(app, request);
      if (!form) return reply.status(400).send(repeated);
      if (!form.token) return reply.status(400).send(oauthError("invalid_request", "The token is missing."));
      await revokeToken(app, form.token);
      return {};
    },
  },
];

const repeated = oauthError("invalid_request", "A parameter was sent more than once.");

/** Undefined when a parameter is repeated, which RFC 6749, 3.2 forbids: two readers could choose differently. */
async function readForm(
  app: App,
  request: { ip: string; body: unknown },
): Promise<Record<string, string> | undefined> {
  await requireToken(app.pool, "cliLogin", networkOf(request.ip));
  const pairs = request.body instanceof URLSearchParams ? [...request.body] : [];
  const form = Object.fromEntries(pairs);
  return Object.keys(form).length === pairs.length ? form : undefined;
}
