/** @module The OAuth suite on right servers, which it finds nothing on, and on broken ones, of which it finds exactly what is broken. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import {
  BROKEN_SHOPS,
  type ProtectedBookshop,
  startBookshop,
  startClientDocument,
  startProtectedBookshop,
} from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { disagreementsOf } from "../verdict/testing/evidence-agrees.ts";
import { type OauthRun, type OauthRunOptions, runOauth } from "./run-oauth.ts";
import { brokenRows } from "./testing/broken-rows.ts";

const redirectUri = "http://127.0.0.1:33422/callback";
let shop: ProtectedBookshop;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(() => shop.close());

const judge = (options: Partial<OauthRunOptions> = {}) =>
  runOauth({
    serverUrl: shop.url,
    protocolVersion: "2025-11-25",
    registration: "dcr",
    authMode: "headless",
    redirectUri,
    conformanceChecks: true,
    checkRefresh: true,
    ...options,
  });

const named = ({ report }: OauthRun, wanted: string) =>
  report.steps.filter(({ status, skipReason }) => (skipReason ?? status) === wanted).map(({ step }) => step);

const leaks = ({ report, gains }: OauthRun) => {
  const told = JSON.stringify(report);
  return gains.secrets.filter((secret) => told.includes(secret));
};

/** A client's metadata document, whose certificate is trusted while the test lasts. */
async function trustedDocument(): Promise<string> {
  const trusted = tls.getCACertificates("default");
  const document = await startClientDocument([redirectUri]);
  tls.setDefaultCACertificates([...trusted, document.certificate]);
  onTestFinished(async () => {
    tls.setDefaultCACertificates(trusted);
    await document.close();
  });
  return document.url;
}

describe("a right server passes", () => {
  test.each(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const)(
    "by the rules of %s",
    async (protocolVersion) => {
      const run = await judge({ protocolVersion, verification: { listTools: true } });
      expect({ failed: named(run, "failed"), unproven: named(run, "could-not-run") }).toEqual({
        failed: [],
        unproven: [],
      });
      expect(run.report).toMatchObject({ outcome: "passed", passed: true, score: { score: 100 } });
      expect(leaks(run)).toEqual([]);
    },
  );

  test("as a machine, with what needs a person left out", async () => {
    const run = await judge({
      authMode: "client_credentials",
      registration: "preregistered",
      ...shop.machineClient,
    });
    expect(run.report.outcome).toBe("passed");
    expect(named(run, "not-applicable")).toContain("authorization_request");
    expect(leaks(run)).toEqual([]);
  });

  test("with a metadata document, and plain http refused for one", async () => {
    const run = await judge({ registration: "cimd", clientMetadataUrl: await trustedDocument() });
    expect(run.report.outcome).toBe("passed");
    expect(named(run, "passed")).toContain("oauth_cimd_http_client_id");
  });

  test("with a person, where probes that take codes of their own are left out", async () => {
    const run = await judge({ authMode: "interactive", askPerson: (url) => shop.agree(url, redirectUri) });
    expect(run.report.outcome).toBe("passed");
    expect(named(run, "not-applicable")).toContain("oauth_pkce_wrong_verifier");
  });
});

test("every broken server has an expectation", () => {
  const shops = new Set(brokenRows.map(({ broken }) => broken));
  expect([...shops].toSorted()).toEqual(Object.keys(BROKEN_SHOPS).toSorted());
});

test.each(brokenRows)(
  "$broken $version: exactly what is broken is found",
  async ({ broken, version, byDocument, verification, failed, advised = [], outcome = "failed" }) => {
    const bad = await startProtectedBookshop({ broken });
    onTestFinished(() => bad.close());
    const run = await judge({
      serverUrl: bad.url,
      ...(version && { protocolVersion: version }),
      ...(verification && { verification }),
      ...(byDocument && { registration: "cimd", clientMetadataUrl: await trustedDocument() }),
    });
    expect(named(run, "failed")).toEqual(failed);
    const warned = run.report.steps.filter(({ rule, warnings = [] }) => rule && warnings.length > 0);
    expect(warned.map(({ step }) => step)).toEqual(expect.arrayContaining(advised));
    expect(run.report.outcome).toBe(outcome);
    expect(disagreementsOf(run.report.steps.map((one) => ({ ...one, id: one.step })))).toEqual([]);
    expect(leaks(run)).toEqual([]);
  },
);

test.each([
  ["takes-tokens-of-others", "failed", /made for another resource is answered with 200/],
  ["tokens-for-all", "passed", undefined],
  [
    "audience-always-ours",
    "could-not-run",
    /ignored `resource` and issued a token for http:.*\/mcp, so this server couldn't be tested/,
  ],
  ["takes-tokens-of-nobody-knows-whom", "could-not-run", /not a JWT .* offers no introspection/],
])("a machine's token for another resource is judged by its audience: %s", async (broken, told, words) => {
  const shop = await startProtectedBookshop({ broken });
  onTestFinished(() => shop.close());
  const run = await judge({
    serverUrl: shop.url,
    authMode: "client_credentials",
    registration: "preregistered",
    ...shop.machineClient,
  });
  expect(named(run, told)).toContain("oauth_audience_mismatch");
  const { error } = run.report.steps.find(({ step }) => step === "oauth_audience_mismatch")!;
  if (words) expect(error?.message).toMatch(words);
  else expect(error).toBeUndefined();
});

test("a server that asks for no token is not applicable, and not scored", async () => {
  const open = await startBookshop();
  onTestFinished(() => open.close());
  const { report } = await judge({ serverUrl: open.url });
  expect(report).toMatchObject({ outcome: "not-applicable", passed: false, score: { score: null } });
  expect(report.steps).toMatchObject([{ step: "request_without_token", skipReason: "not-applicable" }]);
});

test("a server that is not there leaves the run incomplete and unscored", async () => {
  const { report } = await judge({ serverUrl: "http://127.0.0.1:9/mcp" });
  expect(report).toMatchObject({
    outcome: "incomplete",
    score: { score: null },
    steps: [{ step: "request_without_token", skipReason: "could-not-run", isOutage: true }],
  });
});

test.each([
  [404, "incomplete", null],
  [429, "incomplete", null],
  [503, "incomplete", null],
  [500, "failed", 5],
])("a server that answers %i to everything is %s", async (status, outcome, score) => {
  const wall = createServer((_request, response) => response.writeHead(status).end("no"));
  await once(wall.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    wall.closeAllConnections();
    wall.close();
  });
  const { port } = wall.address() as AddressInfo;
  const { report } = await judge({ serverUrl: `http://127.0.0.1:${port}/mcp` });
  expect(report).toMatchObject({ outcome, score: { score } });
});

/** Answers that say neither "you need a token" nor "you need none". */
const unclear: Record<string, { status: number; type: string; body: string; ends?: boolean; words: string }> =
  {
    "any page": { status: 200, type: "text/html", body: "<h1>Welcome</h1>", words: "not as MCP" },
    "an empty page": { status: 204, type: "text/plain", body: "", words: "not as MCP" },
    "JSON that is no MCP": {
      status: 200,
      type: "application/json",
      body: '{"ok":true}',
      words: "not as MCP",
    },
    "half a body": {
      status: 200,
      type: "application/json",
      body: '{"jsonrpc":"2.0",',
      ends: false,
      words: "did not finish",
    },
    "a stream without a word": {
      status: 200,
      type: "text/event-stream",
      body: ": hello\n\n",
      ends: false,
      words: "did not finish",
    },
    "an error in place of a result": {
      status: 200,
      type: "application/json",
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Unauthorized"}}',
      words: "Unauthorized",
    },
    "a revision it does not speak": {
      status: 400,
      type: "application/json",
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Bad Request: no session"}}',
      words: "no session",
    },
    "a redirect": { status: 302, type: "text/html", body: "", words: "302" },
    "another method": { status: 405, type: "text/html", body: "", words: "405" },
  };

test.each(Object.entries(unclear))(
  "%s without a token teaches nothing: no verdict, no score",
  async (_, { status, type, body, ends = true, words }) => {
    const page = createServer((_request, response) => {
      response.writeHead(status, { "content-type": type });
      if (ends) response.end(body);
      else response.write(body);
    });
    await once(page.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      page.closeAllConnections();
      page.close();
    });
    const { port } = page.address() as AddressInfo;
    const { report } = await judge({ serverUrl: `http://127.0.0.1:${port}/mcp`, stepTimeoutMs: 1_000 });
    expect(report).toMatchObject({ outcome: "incomplete", passed: false, score: { score: null } });
    expect(report.steps).toMatchObject([
      { step: "request_without_token", skipReason: "could-not-run", isOutage: true },
    ]);
    expect(report.steps[0]?.error?.message).toContain(words);
    expect(report.incompleteReason).toContain(words);
  },
);

test("after a step that fails, those behind it could not run", async () => {
  const bad = await startProtectedBookshop({ broken: "wrong-state" });
  onTestFinished(() => bad.close());
  const run = await judge({ serverUrl: bad.url });
  expect(named(run, "could-not-run")).toEqual([
    "token_request",
    "received_access_token",
    "authenticated_mcp_request",
    "complete",
  ]);
  expect(run.report.steps.find(({ status }) => status === "failed")?.teachableMoments?.join()).toContain(
    "state ties",
  );
});
