/** @module The API described: the OpenAPI document for machines, a page for people. */
import { limits } from "@fettle/contract/core";
import { apiReferenceScript, apiReferenceStyles } from "@fettle/contract/reference";
import type { RawRoute } from "../core/routing/raw-route.ts";
import { surfaceBase } from "./route-table.ts";
import { readingPagePolicy } from "./secure-headers.ts";

const openApi = `${surfaceBase.api}/openapi.json`;
const stylesheet = "/docs/api.css";
const script = "/docs/api.js";

/** Made at the first request and kept: they depend on the release alone. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Loaded for the few who ask: it makes the schemas of all operations. */
const apiDocument = once(async () => (await import("@fettle/contract/document")).apiDocument());
const document = once(async () => Buffer.from(JSON.stringify(await apiDocument())));
/** Not with the rest of its package: it holds the examples of all operations. */
const page = once(async () => {
  const { apiReferencePage, exampleOrigin, html } = await import("@fettle/contract/reference");
  const written = apiReferencePage(await apiDocument(), { stylesheet, script, openApi });
  return (origin: string) => Buffer.from(written.replaceAll(exampleOrigin, html`${origin}`.markup));
});

/** Its examples name the address that it was asked for at. The same bytes again, so that they are compressed once. */
const pages = new Map<string, Buffer>();
async function pageAt(origin: string): Promise<Buffer> {
  const held = pages.get(origin) ?? (await page())(origin);
  if (pages.size >= mostOrigins) pages.clear();
  pages.set(origin, held);
  return held;
}

const mostOrigins = 4;
const styles = Buffer.from(apiReferenceStyles);

const kept = `public, max-age=${limits.keptSeconds}`;
const why = "Describes the API. The same for everyone and public knowledge, so it needs no credential.";

export const documentRoutes: RawRoute[] = [
  {
    id: "openapi",
    methods: ["GET"],
    path: openApi,
    policy: "public",
    why,
    handle: async ({ reply }) =>
      reply
        .header("cache-control", kept)
        .type("application/json")
        .send(await document()),
  },
  {
    id: "apiReference",
    methods: ["GET"],
    path: "/docs/api",
    policy: "public",
    why,
    handle: async ({ request, reply }) =>
      reply
        .header("content-security-policy", readingPagePolicy)
        .header("cache-control", kept)
        .type("text/html; charset=utf-8")
        .send(await pageAt(`${request.protocol}://${request.host}`)),
  },
  {
    id: "apiReferenceStyles",
    methods: ["GET"],
    path: stylesheet,
    policy: "public",
    why,
    handle: ({ reply }) => reply.header("cache-control", kept).type("text/css; charset=utf-8").send(styles),
  },
  {
    id: "apiReferenceScript",
    methods: ["GET"],
    path: script,
    policy: "public",
    why,
    handle: ({ reply }) =>
      reply.header("cache-control", kept).type("text/javascript; charset=utf-8").send(apiReferenceScript),
  },
];
