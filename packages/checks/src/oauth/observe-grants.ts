/** @module Probes of the authorization server: requests it must refuse, each like one it granted but for a single thing. */
import {
  askServer,
  asMcpError,
  createAuthorizationRequest,
  createPkce,
  findAudience,
  type HttpClient,
  isRedirectUri,
  McpError,
  type OauthClient,
  type Pkce,
  readRegistration,
  requestRegistration,
  requestTokens,
  type TokenAnswer,
  walkToRedirect,
} from "@fettle/mcp";
import type { Observers } from "../verdict/run-checks.ts";
import type { OauthSeen, SeenVerdict, SeenWalk } from "./oauth-check.ts";
import { type ProbeContext, questionOf, seenAnswer } from "./observe-server.ts";

type GrantSeen = Pick<
  OauthSeen,
  | "evilRegistration"
  | "unknownClient"
  | "badRedirect"
  | "otherRedirect"
  | "wrongVerifier"
  | "missingVerifier"
  | "plainChallenge"
  | "replay"
  | "otherAudience"
  | "refresh"
  | "plainHttpClient"
>;

const evilRedirect = "http://evil.example/callback";
const otherResource = "https://other.example/mcp";

export function grantObservers(context: ProbeContext): Observers<GrantSeen> {
  const { desk, facts, redirectUri } = context;
  const ask = grantsOf(context);
  return {
    evilRegistration: () =>
      desk.probe("evilRegistration", async (http) => {
        if (typeof facts.server.registration_endpoint !== "string") return undefined;
        const answer = await requestRegistration({
          ...ask.registration(http),
          also: { redirect_uris: [evilRedirect] },
        });
        desk.conceal(answer.body.client_secret);
        const { status, body, text } = answer;
        const accepted = status >= 200 && status < 300 && typeof body.client_id === "string";
        return { status, accepted, error: errorOf(body), words: accepted ? "" : text.slice(0, 500) };
      }),
    unknownClient: () =>
      desk.probe("unknownClient", (http) => {
        const client = { clientId: "invalid-client-id" };
        const grant: Record<string, string> =
          facts.authMode === "client_credentials"
            ? { grant_type: "client_credentials" }
            : {
                grant_type: "authorization_code",
                code: "fettle-code-that-never-was",
                redirect_uri: redirectUri,
                code_verifier: createPkce().codeVerifier,
              };
        return ask.tokens(http, client, grant);
      }),
    badRedirect: () =>
      desk.probe("badRedirect", (http) =>
        ask.walk(http, ask.client(), { redirectUri: `${redirectUri}?invalid=1` }),
      ),
    plainChallenge: () =>
      desk.probe("plainChallenge", (http) => {
        const { codeVerifier, state } = createPkce();
        return ask.walk(http, ask.client(), {
          pkce: { codeVerifier, codeChallenge: codeVerifier, state },
          method: "plain",
        });
      }),
    plainHttpClient: () =>
      desk.probe("plainHttpClient", (http) =>
        ask.walk(http, { clientId: ask.client().clientId.replace(/^https:/, "http:") }, {}),
      ),
    otherRedirect: () =>
      desk.probe("otherRedirect", async (http) => {
        const { code, pkce } = await ask.code(http, ask.client());
        return ask.tokens(http, ask.client(), codeGrant(code, pkce, `${redirectUri}?invalid=1`));
      }),
    wrongVerifier: () =>
      desk.probe("wrongVerifier", async (http) => {
        const { code } = await ask.code(http, ask.client());
        return ask.tokens(http, ask.client(), codeGrant(code, createPkce(), redirectUri));
      }),
    missingVerifier: () =>
      desk.probe("missingVerifier", async (http) => {
        const { code, pkce } = await ask.code(http, ask.client());
        const { code_verifier: _left, ...grant } = codeGrant(code, pkce, redirectUri);
        return ask.tokens(http, ask.client(), grant);
      }),
    replay: () =>
      desk.probe("replay", async (http) => {
        // An authorization server may revoke all that came of a code used twice: that must not hit the tokens of this run.
        const client = await ask.ownClient(http);
        const { code, pkce } = await ask.code(http, client);
        const grant = codeGrant(code, pkce, redirectUri);
        const first = await ask.tokens(http, client, grant);
        return { first, second: await ask.tokens(http, client, grant) };
      }),
    otherAudience: () =>
      desk.probe("otherAudience", async (http) => {
        const token = await tokenForAnother(context, http);
        if (token === undefined) return undefined;
        return {
          ...seenAnswer(await askServer(http, questionOf(context, token))),
          asked: otherResource,
          audience: await ask.audience(http, token),
          own: await ask.audience(http, context.gains.tokens?.accessToken ?? ""),
        };
      }),
    refresh: () =>
      desk.probe("refresh", async (http) => {
        // Spends refresh tokens, so it gets some of its own.
        const client = await ask.ownClient(http);
        const { code, pkce } = await ask.code(http, client);
        const first = await ask.answer(http, client, codeGrant(code, pkce, redirectUri));
        const old = first.body.refresh_token;
        if (typeof old !== "string") return undefined;
        const grant = { grant_type: "refresh_token", refresh_token: old };
        const answer = await ask.answer(http, client, grant);
        const fresh = seenVerdict(answer);
        const { access_token: access, refresh_token: next } = answer.body;
        if (typeof access !== "string") return { fresh };
        const works = seenAnswer(await askServer(http, questionOf(context, access)));
        if (typeof next !== "string" || next === old) return { fresh, works };
        return { fresh, works, spent: await ask.tokens(http, client, grant) };
      }),
  };
}

/** What the probes ask with: the flow's own client, resource and scope, unless one of them is the point. */
function grantsOf(context: ProbeContext) {
  const { desk, facts, gains, redirectUri, timeoutMs } = context;
  const { guardian, scope } = gains;
  if (!guardian || !gains.client) throw new McpError("BAD_OPTION", "The flow got no client.");
  const own = gains.client;
  const server = guardian.server;
  const signal = () => AbortSignal.timeout(timeoutMs);
  const isMachine = facts.authMode === "client_credentials";

  const request = (http: HttpClient, client: OauthClient) => ({
    http,
    server,
    client,
    signal: signal(),
    suppliedFrom: guardian.zone,
    conceal: desk.conceal,
  });

  const answer = async (
    http: HttpClient,
    client: OauthClient,
    grant: Record<string, string>,
    resource = guardian.resource,
  ): Promise<TokenAnswer> => {
    const got = await requestTokens(
      { ...request(http, client), resource, ...(isMachine && scope !== undefined && { scope }) },
      grant,
    );
    for (const name of ["access_token", "refresh_token", "id_token"]) desk.conceal(got.body[name]);
    return got;
  };

  const address = (
    client: OauthClient,
    { pkce, resource, ...changed }: { pkce: Pkce; redirectUri?: string; resource?: string; method?: string },
  ) => {
    const request = createAuthorizationRequest({
      server,
      clientId: client.clientId,
      redirectUri: changed.redirectUri ?? redirectUri,
      resource: resource ?? guardian.resource,
      scope,
      protocolVersion: facts.version,
      pkce,
    });
    const url = new URL(request.url);
    if (changed.method !== undefined) url.searchParams.set("code_challenge_method", changed.method);
    return url.href;
  };

  const registration = (http: HttpClient) => ({
    http,
    server,
    clientName: "Fettle checks",
    redirectUri,
    scope,
    grant: isMachine ? ("client_credentials" as const) : ("authorization_code" as const),
    signal: signal(),
    suppliedFrom: guardian.zone,
  });

  const follow = (http: HttpClient, url: string, target: string) =>
    walkToRedirect({ http, url, redirectUri: target, signal: signal(), suppliedFrom: guardian.zone });

  return {
    client: () => own,
    answer,
    registration,
    tokens: async (http: HttpClient, client: OauthClient, grant: Record<string, string>) =>
      seenVerdict(await answer(http, client, grant)),
    audience: (http: HttpClient, token: string) => findAudience(token, request(http, own)),

    /** A client of the probe's own where one can be had for the asking. */
    async ownClient(http: HttpClient): Promise<OauthClient> {
      if (facts.registration !== "dcr") return own;
      const answered = await requestRegistration(registration(http));
      desk.conceal(answered.body.client_secret);
      return readRegistration(answered);
    },

    async code(
      http: HttpClient,
      client: OauthClient,
      resource?: string,
    ): Promise<{ code: string; pkce: Pkce }> {
      const pkce = createPkce();
      const came = await follow(http, address(client, { pkce, ...(resource && { resource }) }), redirectUri);
      const code = came.searchParams.get("code");
      if (!code) throw new Error(`No code came: ${came.searchParams.get("error") ?? "no reason given"}.`);
      desk.conceal(code);
      desk.conceal(pkce.codeVerifier);
      return { code, pkce };
    },

    /** An authorization request and where it leads; nobody consents, so a page is as far as it goes. */
    async walk(
      http: HttpClient,
      client: OauthClient,
      changed: { redirectUri?: string; pkce?: Pkce; method?: string },
    ): Promise<SeenWalk> {
      const target = changed.redirectUri ?? redirectUri;
      const pkce = changed.pkce ?? createPkce();
      try {
        const came = await follow(http, address(client, { ...changed, pkce }), target);
        desk.conceal(came.searchParams.get("code"));
        return {
          kind: isRedirectUri(came, target) ? "came-back" : "refused",
          status: 302,
          error: came.searchParams.get("error") ?? undefined,
          hasCode: came.searchParams.has("code"),
          words: came.searchParams.get("error_description") ?? "",
        };
      } catch (error) {
        const { code, message, details } = asMcpError(error);
        if (code !== "OAUTH") throw error;
        const status = details.status ?? 0;
        const isPage = status >= 200 && status < 300;
        return {
          kind: isPage ? "page" : "refused",
          status,
          error: undefined,
          hasCode: false,
          words: details.excerpt ?? message,
        };
      }
    },
  };
}

/** Undefined when the authorization server gives none, which is the better protection. */
async function tokenForAnother(context: ProbeContext, http: HttpClient): Promise<string | undefined> {
  const { facts, redirectUri } = context;
  const ask = grantsOf(context);
  let answer: TokenAnswer;
  if (facts.authMode === "client_credentials") {
    answer = await ask.answer(http, ask.client(), { grant_type: "client_credentials" }, otherResource);
  } else {
    try {
      const { code, pkce } = await ask.code(http, ask.client(), otherResource);
      answer = await ask.answer(http, ask.client(), codeGrant(code, pkce, redirectUri), otherResource);
    } catch (error) {
      // Refused with an error at our redirect, or with a page of its own; a network's failure is none of these.
      if (error instanceof McpError && error.code !== "OAUTH") throw error;
      return undefined;
    }
  }
  return typeof answer.body.access_token === "string" ? answer.body.access_token : undefined;
}

function codeGrant(code: string, { codeVerifier }: Pkce, redirectUri: string): Record<string, string> {
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
}

function seenVerdict({ status, body, text }: TokenAnswer): SeenVerdict {
  const accepted = status >= 200 && status < 300 && typeof body.access_token === "string";
  return { status, accepted, error: errorOf(body), words: accepted ? "" : text.slice(0, 500) };
}

function errorOf(body: Record<string, unknown>): string | undefined {
  return typeof body.error === "string" ? body.error : undefined;
}
