import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { limits } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, testService } from "../testing/service.ts";
import { makeWorld, type World } from "../testing/world.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

/** Below fetch, which says itself what it can read, and reads it. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { promise, resolve, reject } = Promise.withResolvers<import("node:http").IncomingMessage>();
  const options = { method, headers: { authorization: `Bearer ${world.people.owner.key}`, ...headers } };
  request(service.url + path, options, resolve)
    .on("error", reject)
    .end();
  const answer = await promise;
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

/** An answer of about this many bytes: a refusal repeats the names of the fields it does not know. */
const long = async () => {
  const path = `/api/v1/projects/${world.projectId}`;
  const key = world.people.owner.key;
  const description = "swallow ".repeat(limits.text.descriptionLength / 8);
  await service.call(path, { method: "PATCH", key, body: { description } });
  return path;
};

describe("an answer over a kilobyte", () => {
  it.each([
    ["gzip", "gzip", "gzip"],
    ["br", "br", "br"],
    ["gzip, deflate, br, zstd", "br", "br"],
    ["br;q=0, gzip;q=0.5", "gzip", "gzip"],
    ["*", "br", "br"],
    ["identity", undefined, "plain"],
    ["gzip;q=0", undefined, "plain"],
    ["", undefined, "plain"],
  ] as const)("to a client that accepts %j is sent as %s", async (accepted, encoding, kind) => {
    const { headers, body } = await get(await long(), { "accept-encoding": accepted });
    expect([headers["content-encoding"], headers.vary]).toEqual([encoding, "accept-encoding"]);
    const read = { gzip: gunzipSync, br: brotliDecompressSync, plain: (bytes: Buffer) => bytes }[kind];
    expect(JSON.parse(read(body).toString()).id).toBe(world.projectId);
    if (encoding) expect(body.length).toBeLessThan(1_024);
  });

  it("is compressed wherever it comes from: large ones in pieces, documents, refusals", async () => {
    const accepted = { "accept-encoding": "gzip" };
    for (const path of [
      "/api/v1/openapi.json",
      "/docs/api",
      "/docs/api.css",
      "/docs/api.js",
      "/api/v1/host-catalog",
    ]) {
      const { status, headers, body } = await get(path, accepted);
      expect([path, status, headers["content-encoding"]]).toEqual([path, 200, "gzip"]);
      expect(gunzipSync(body).length).toBeGreaterThan(1_024);
    }
    const query = Array.from({ length: 60 }, (_, at) => `unknown_field_number_${at}=1`).join("&");
    const refused = await get(`/api/v1/projects/${world.projectId}/conformance-runs?${query}`, accepted);
    expect([refused.status, refused.headers["content-encoding"]]).toEqual([400, "gzip"]);
    expect(JSON.parse(gunzipSync(refused.body).toString()).code).toBe("VALIDATION_ERROR");
  });

  it("has no body to compress for HEAD, and a short one stays as it is", async () => {
    const accepted = { "accept-encoding": "gzip" };
    expect((await get(await long(), accepted, "HEAD")).body.length).toBe(0);
    expect((await get("/api/v1/me", accepted)).headers["content-encoding"]).toBeUndefined();
  });
});

it("leaves a live stream as it is, so that each event arrives at once", async () => {
  const answer = await fetch(`${service.url}/app/events?topics=account`, {
    headers: { cookie: world.people.owner.cookie, "x-fettle-app": "1", "accept-encoding": "gzip, br" },
  });
  expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, null]);
  const reader = answer.body!.getReader();
  expect((await reader.read()).value!.length).toBeGreaterThan(0);
  await reader.cancel();
});

describe("a document", () => {
  it.each([
    "/api/v1/openapi.json",
    "/docs/api",
    "/docs/api.css",
    "/docs/api.js",
    "/api/v1/host-catalog",
    "/.well-known/oauth-authorization-server",
    "/api/cli/auth/config",
  ])("%s has a tag, and is not sent again to who has it", async (path) => {
    for (const accepted of ["gzip", "identity"]) {
      const first = await get(path, { "accept-encoding": accepted });
      const tag = first.headers.etag!;
      expect(tag).toMatch(/^W\/"[\w-]{20,}"$/);
      for (const held of [tag, tag.replace("W/", ""), `"other", ${tag}`, "*"]) {
        const again = await get(path, { "accept-encoding": accepted, "if-none-match": held });
        expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, tag]);
        expect(again.headers["content-encoding"]).toBeUndefined();
      }
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    }
  });

  it("is all that has one: data is not kept, so it is not compared", async () => {
    expect((await get("/api/v1/me")).headers.etag).toBeUndefined();
    expect((await get("/api/v1/me", { "if-none-match": "*" })).status).toBe(200);
  });
});
