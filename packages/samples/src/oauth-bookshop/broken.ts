/**
 * The protected bookshop with one thing wrong each, as data: what a test of authorization must find, and nothing else.
 * @module
 */
import type { Bend } from "./bend.ts";

export interface BrokenShop {
  /** What is wrong, as a sentence. */
  about: string;
  bend: { authorization?: Bend; shop?: Bend };
}

const metadataPath = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)/;
const pathOf = (request: Request) => new URL(request.url).pathname;

/** Changes a JSON document on its way out. */
async function edited(
  response: Response,
  edit: (document: Record<string, unknown>) => Record<string, unknown>,
): Promise<Response> {
  const document = (await response.json()) as Record<string, unknown>;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(edit(document)), { status: response.status, headers });
}

const editMetadata =
  (edit: (document: Record<string, unknown>) => Record<string, unknown>): Bend =>
  async (request, next) => {
    const response = await next(request);
    return metadataPath.test(pathOf(request)) && response.ok ? edited(response, edit) : response;
  };

const without = (name: string) => (document: Record<string, unknown>) => {
  const { [name]: _dropped, ...rest } = document;
  return rest;
};

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
};

export function brokenShop(name: string): BrokenShop {
  const found = BROKEN_SHOPS[name];
  if (!found) throw new Error(`There is no broken shop "${name}".`);
  return found;
}
