/**
 * The protected bookshop with one thing wrong each, as data: what a test of authorization must find, and nothing else.
 * @module
 */
import type { Bend } from "./bend.ts";
import {
  type BrokenShop,
  edited,
  editMetadata,
  formOf,
  metadataPath,
  passedOn,
  pathOf,
  without,
} from "./broken-shop.ts";
import { TOKEN_SHOPS } from "./token-shops.ts";

const editResource =
  (edit: (document: Record<string, unknown>) => Record<string, unknown>): Bend =>
  async (request, next) => {
    const response = await next(request);
    return pathOf(request).includes("oauth-protected-resource") && response.ok
      ? edited(response, edit)
      : response;
  };

/** Changes the redirect that brings the code back. */
const editCallback =
  (edit: (query: URLSearchParams) => void): Bend =>
  async (request, next) => {
    const response = await next(request);
    const location = response.headers.get("location");
    const url = location === null ? null : URL.parse(location);
    if (!url?.searchParams.has("code")) return response;
    edit(url.searchParams);
    const headers = new Headers(response.headers);
    headers.set("location", url.href);
    return new Response(null, { status: response.status, headers });
  };

/** Changes the challenge of a 401, or takes it away. */
const editChallenge =
  (edit: (challenge: string) => string | undefined): Bend =>
  async (request, next) => {
    const response = await next(request);
    const challenge = response.headers.get("www-authenticate");
    if (challenge === null) return response;
    const headers = new Headers(response.headers);
    const edited = edit(challenge);
    if (edited === undefined) headers.delete("www-authenticate");
    else headers.set("www-authenticate", edited);
    return new Response(response.body, { status: response.status, headers });
  };

const editTokens =
  (edit: (body: Record<string, unknown>) => Record<string, unknown>): Bend =>
  async (request, next) => {
    const response = await next(request);
    return pathOf(request) === "/token" && response.ok ? edited(response, edit) : response;
  };

/** Gives made-up tokens where the provider refuses, if the request is one of those that this server does not look at. */
function grants(overlooks: (form: URLSearchParams, used: boolean) => boolean): Bend {
  const spent = new Set<string>();
  return async (request, next) => {
    if (pathOf(request) !== "/token") return next(request);
    const form = (await formOf(request)) ?? new URLSearchParams();
    const response = await next(await passedOn(request, new URL(request.url), form));
    const code = form.get("code") ?? "";
    const used = spent.has(code);
    if (response.ok) spent.add(code);
    if (response.ok || !overlooks(form, used)) return response;
    return Response.json({ access_token: "made-up-token", token_type: "Bearer", expires_in: 60 });
  };
}

/** A code of this server, traded where it was asked for. */
function isOwnCode(form: URLSearchParams): boolean {
  return form.get("client_id") !== "invalid-client-id" && form.get("redirect_uri")?.includes("?") === false;
}

/** An answer with a code, which nobody checked. */
function sendBack(request: Request, redirect: string): Response {
  const { searchParams } = new URL(request.url);
  const back = new URL(redirect);
  back.searchParams.set("code", "made-up-code");
  back.searchParams.set("state", searchParams.get("state") ?? "");
  return new Response(null, { status: 303, headers: { location: back.href } });
}

export const BROKEN_SHOPS: Record<string, BrokenShop> = {
  "wrong-issuer": {
    about: "The metadata names another issuer than the one it was found by.",
    bend: { authorization: editMetadata((document) => ({ ...document, issuer: "https://other.example" })) },
  },
  "no-pkce-metadata": {
    about: "The metadata does not say that PKCE is supported.",
    bend: { authorization: editMetadata(without("code_challenge_methods_supported")) },
  },
  "no-response-types": {
    about: "The metadata lacks a field that every such document must have.",
    bend: { authorization: editMetadata(without("response_types_supported")) },
  },
  "no-iss": {
    about: "The authorization server promises to name itself in its answers, and does not.",
    bend: { authorization: editCallback((query) => query.delete("iss")) },
  },
  "other-iss": {
    about: "The answer comes in another issuer's name.",
    bend: { authorization: editCallback((query) => query.set("iss", "https://other.example")) },
  },
  "wrong-state": {
    about: "The answer carries another state than the question.",
    bend: { authorization: editCallback((query) => query.set("state", "another")) },
  },
  "metadata-elsewhere": {
    about: "The metadata redirects to an address inside the network.",
    bend: {
      authorization: async (request, next) =>
        metadataPath.test(pathOf(request))
          ? Response.redirect("http://169.254.169.254/latest/meta-data", 302)
          : next(request),
    },
  },
  "other-resource": {
    about: "The resource's metadata is for another server.",
    bend: { shop: editResource((document) => ({ ...document, resource: "https://other.example/mcp" })) },
  },
  "no-authorization-servers": {
    about: "The resource's metadata names no authorization server.",
    bend: { shop: editResource((document) => ({ ...document, authorization_servers: [] })) },
  },
  "relative-pointer": {
    about: "The challenge points to its metadata by a path alone.",
    bend: {
      shop: editChallenge((challenge) =>
        challenge.replace(/resource_metadata="https?:\/\/[^/]+/, 'resource_metadata="'),
      ),
    },
  },
  "no-pointer": {
    about: "The challenge does not say where the resource's metadata is.",
    bend: { shop: editChallenge((challenge) => challenge.replace(/,?\s*resource_metadata="[^"]*"/, "")) },
  },
  "silent-scope": {
    about: "A list that wants another scope is refused without a word about which.",
    bend: {
      shop: async (request, next) =>
        (await request.clone().text()).includes('"tools/list"')
          ? new Response(null, { status: 403 })
          : next(request),
    },
  },
  "no-challenge": {
    about: "A 401 says nothing more.",
    bend: { shop: editChallenge(() => undefined) },
  },
  "no-challenge-on-get": {
    about: "A GET without a token is refused without a challenge.",
    bend: {
      shop: async (request, next) =>
        request.method === "GET" && pathOf(request) === "/mcp"
          ? new Response(null, { status: 401 })
          : next(request),
    },
  },
  "crashes-without-token": {
    about: "A request without a token makes the server fail.",
    bend: {
      shop: async (request, next) =>
        pathOf(request) === "/mcp" && !request.headers.has("authorization")
          ? new Response("Internal Server Error", { status: 500 })
          : next(request),
    },
  },
  "crashes-on-session": {
    about: "A session that never was makes the server fail.",
    bend: {
      shop: async (request, next) =>
        request.headers.get("mcp-session-id")?.startsWith("0000")
          ? new Response("Internal Server Error", { status: 500 })
          : next(request),
    },
  },
  "takes-any-token": {
    about: "Whatever is called a token opens the shop.",
    bend: {
      shop: async (request, next) => {
        const response = await next(request);
        const isRefused = response.status === 401 && request.headers.has("authorization");
        return isRefused
          ? Response.json({ jsonrpc: "2.0", id: 1, result: { tools: [], resultType: "complete" } })
          : response;
      },
    },
  },
  "takes-no-token": {
    about: "The shop refuses the tokens that were made for it.",
    bend: {
      shop: async (request, next) =>
        pathOf(request) === "/mcp" && request.headers.has("authorization")
          ? new Response(null, {
              status: 401,
              headers: { "www-authenticate": 'Bearer error="invalid_token"' },
            })
          : next(request),
    },
  },
  ...TOKEN_SHOPS,
  "open-redirect": {
    about: "A browser is sent to any redirect.",
    bend: {
      authorization: async (request, next) => {
        const redirect = new URL(request.url).searchParams.get("redirect_uri");
        const response = await next(request);
        const isRefused = pathOf(request) === "/auth" && response.status === 400 && redirect !== null;
        return isRefused ? sendBack(request, redirect) : response;
      },
    },
  },
  "plain-pkce": {
    about: "A challenge that protects nothing is taken.",
    bend: {
      authorization: async (request, next) => {
        const { searchParams } = new URL(request.url);
        return searchParams.get("code_challenge_method") === "plain"
          ? sendBack(request, searchParams.get("redirect_uri") ?? "")
          : next(request);
      },
    },
  },
  "http-document": {
    about: "A client known by a document over plain http is taken.",
    bend: {
      authorization: async (request, next) => {
        const { searchParams } = new URL(request.url);
        return searchParams.get("client_id")?.startsWith("http:")
          ? sendBack(request, searchParams.get("redirect_uri") ?? "")
          : next(request);
      },
    },
  },
  "registers-anything": {
    about: "A client may be registered with any redirect.",
    bend: {
      authorization: async (request, next) => {
        const response = await next(request);
        return pathOf(request) === "/reg" && response.status === 400
          ? Response.json({ client_id: "anyone" }, { status: 201 })
          : response;
      },
    },
  },
  "any-client": {
    about: "A client that never was gets tokens.",
    bend: { authorization: grants((form) => form.get("client_id") === "invalid-client-id") },
  },
  "no-pkce-check": {
    about: "The proof of who asked for a code is not looked at.",
    bend: {
      authorization: grants((form, used) => isOwnCode(form) && form.has("code_verifier") && !used),
    },
  },
  "no-pkce-needed": {
    about: "A code is traded without the proof of who asked for it.",
    bend: { authorization: grants((form) => form.has("code") && !form.has("code_verifier")) },
  },
  "redirect-not-compared": {
    about: "A code is traded for another redirect than it was asked for.",
    bend: { authorization: grants((form) => form.get("redirect_uri")?.includes("?") === true) },
  },
  "code-reuse": {
    about: "A code works twice.",
    bend: { authorization: grants((form, used) => form.has("code") && used) },
  },
  "refresh-reuse": {
    about: "A refresh token works after it was replaced.",
    bend: { authorization: grants((form) => form.has("refresh_token")) },
  },
  "metadata-as-text": {
    about: "Metadata is served as plain text.",
    bend: {
      authorization: async (request, next) => {
        const response = await next(request);
        if (!metadataPath.test(pathOf(request))) return response;
        const headers = new Headers(response.headers);
        headers.set("content-type", "text/plain");
        return new Response(response.body, { status: response.status, headers });
      },
    },
  },
  "token-without-type": {
    about: "The token's answer does not say what kind of token it is.",
    bend: { authorization: editTokens(without("token_type")) },
  },
  "expiry-as-text": {
    about: "The token's answer says when it ends in a text, not in a number.",
    bend: { authorization: editTokens((body) => ({ ...body, expires_in: "300" })) },
  },
  "lying-token-endpoint": {
    about: "The token endpoint says that all is well, and gives no token.",
    bend: { authorization: editTokens(without("access_token")) },
  },
  "busy-token-endpoint": {
    about: "A gateway answers in the place of the token endpoint: nobody's fault.",
    bend: {
      authorization: async (request, next) =>
        pathOf(request) === "/token" ? new Response("busy", { status: 503 }) : next(request),
    },
  },
};

export function brokenShop(name: string): BrokenShop {
  const found = BROKEN_SHOPS[name];
  if (!found) throw new Error(`There is no broken shop "${name}".`);
  return found;
}
