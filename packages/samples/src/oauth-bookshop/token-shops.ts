/**
 * Shops that differ in whom tokens are made for and who looks at it, or in which versions they speak: some wrong, some right and easily accused.
 * @module
 */
import type { Bend } from "./bend.ts";
import { type BrokenShop, editMetadata, formOf, passedOn, pathOf, without } from "./broken-shop.ts";

/** Without the stateless revision, but with an answer to its question for the tools: one of the older revisions. */
const listsWithoutHandshake: Bend = async (request, next) => {
  if (request.method !== "POST" || request.headers.get("mcp-protocol-version") !== "2026-07-28") {
    return next(request);
  }
  const { id, method } = (await request.clone().json()) as { id?: number; method?: string };
  const response = await next(request);
  if (!response.ok) return response;
  return method === "tools/list"
    ? Response.json({ jsonrpc: "2.0", id, result: { tools: [] } })
    : Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
};

const answersEmpty: Bend = async (request, next) => {
  const { id = null } = request.method === "POST" ? ((await request.clone().json()) as { id?: number }) : {};
  const response = await next(request);
  return response.ok && pathOf(request) === "/mcp"
    ? Response.json({ jsonrpc: "2.0", id, result: {} })
    : response;
};

export const TOKEN_SHOPS: Record<string, BrokenShop> = {
  "audience-always-ours": {
    about:
      "The authorization server does not look at what a token is wanted for, and makes each for this shop: nobody's fault.",
    bend: {
      authorization: async (request, next) => {
        const url = new URL(request.url);
        url.searchParams.delete("resource");
        const form = await formOf(request);
        form?.delete("resource");
        return next(await passedOn(request, url, form));
      },
    },
  },
  "tokens-for-all": {
    about:
      "The authorization server makes tokens for any resource, and the shop refuses those of others: all is well.",
    bend: {},
    tokens: { forAnyResource: true },
  },
  "opaque-tokens-for-all": {
    about: "The same, and a token's audience is learned by introspection alone.",
    bend: {},
    tokens: { forAnyResource: true, opaque: true },
  },
  "takes-tokens-of-others": {
    about: "The shop takes tokens that were made for others.",
    bend: {},
    tokens: { forAnyResource: true, audienceUnchecked: true },
  },
  "takes-opaque-tokens-of-others": {
    about: "The same, and a token's audience is learned by introspection alone.",
    bend: {},
    tokens: { forAnyResource: true, opaque: true, audienceUnchecked: true },
  },
  "takes-tokens-of-nobody-knows-whom": {
    about: "The shop takes tokens of which nobody can say whom they are for.",
    bend: { authorization: editMetadata(without("introspection_endpoint")) },
    tokens: { forAnyResource: true, opaque: true, audienceUnchecked: true },
  },
  "lists-without-handshake": {
    about:
      "The shop speaks 2025-11-25 alone, and lists its tools to whoever asks, handshake or not: nobody's fault.",
    bend: { shop: listsWithoutHandshake },
  },
  "answers-without-a-version": {
    about: "Whatever is asked, with a good token the answer is an empty result.",
    bend: { shop: answersEmpty },
  },
};
