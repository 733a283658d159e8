/** @module The OAuth suite on right servers, which it finds nothing on, and on broken ones, of which it finds exactly what is broken. */
import tls from "node:tls";
import {
  BROKEN_SHOPS,
  type ProtectedBookshop,
  startBookshop,
  startClientDocument,
  startProtectedBookshop,
} from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type OauthRun, type OauthRunOptions, runOauth } from "./run-oauth.ts";

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
    const trusted = tls.getCACertificates("default");
    const document = await startClientDocument([redirectUri]);
    tls.setDefaultCACertificates([...trusted, document.certificate]);
    onTestFinished(async () => {
      tls.setDefaultCACertificates(trusted);
      await document.close();
    });
    const run = await judge({ registration: "cimd", clientMetadataUrl: document.url });
    expect(run.report.outcome).toBe("passed");
    expect(named(run, "passed")).toContain("oauth_cimd_http_client_id");
  });

  test("with a person, where probes that take codes of their own are left out", async () => {
    const run = await judge({ authMode: "interactive", askPerson: (url) => shop.agree(url, redirectUri) });
    expect(run.report.outcome).toBe("passed");
    expect(named(run, "not-applicable")).toContain("oauth_pkce_wrong_verifier");
  });
});

/** For each broken server: under which version, and exactly which steps and checks fail; or are advised, since no MUST is broken. */
const expected: Record<
  string,
  { version?: OauthRunOptions["protocolVersion"]; failed: string[]; advised?: string[]; outcome?: string }
> = {
  "wrong-issuer": { version: "2026-07-28", failed: ["received_authorization_server_metadata"] },
  "no-pkce-metadata": { failed: ["received_authorization_server_metadata"] },
  "no-response-types": { failed: ["received_authorization_server_metadata"] },
  "no-iss": { failed: ["oauth_iss_when_advertised"] },
  "other-iss": { version: "2026-07-28", failed: ["received_authorization_code"] },
  "wrong-state": { failed: ["received_authorization_code"] },
  "metadata-elsewhere": { failed: ["request_authorization_server_metadata"] },
  "other-resource": { failed: ["received_resource_metadata"] },
  "no-authorization-servers": { failed: ["received_resource_metadata"] },
  "relative-pointer": { failed: ["request_resource_metadata"] },
  "no-challenge": { failed: ["oauth_unauthenticated_challenge", "oauth_challenge_on_get"] },
  "no-challenge-on-get": { failed: ["oauth_challenge_on_get"] },
  "crashes-without-token": { failed: ["request_without_token"] },
  "crashes-on-session": { failed: [], outcome: "passed", advised: ["oauth_stale_session_rejection"] },
  "takes-any-token": { failed: ["oauth_invalid_token"] },
  "takes-no-token": { failed: ["authenticated_mcp_request"] },
  "one-token-for-all": { failed: ["oauth_audience_mismatch"] },
  "open-redirect": { failed: ["oauth_invalid_authorize_redirect"] },
  "plain-pkce": { failed: [], outcome: "passed", advised: ["oauth_pkce_plain_refused"] },
  "registers-anything": { failed: ["oauth_dcr_http_redirect_uri"] },
  "any-client": { failed: ["oauth_invalid_client"] },
  "no-pkce-check": { failed: ["oauth_pkce_wrong_verifier"] },
  "no-pkce-needed": { failed: ["oauth_pkce_missing_verifier"] },
  "redirect-not-compared": { failed: [], outcome: "passed", advised: ["oauth_invalid_redirect"] },
  "code-reuse": { failed: ["oauth_code_replay"] },
  "refresh-reuse": { failed: ["oauth_refresh_rotation"] },
  "metadata-as-text": { failed: ["oauth_metadata_json"] },
  "token-without-type": { failed: ["oauth_token_format"] },
  "expiry-as-text": { failed: ["oauth_token_format"] },
  "lying-token-endpoint": { failed: ["token_request"] },
  "busy-token-endpoint": { failed: [], outcome: "incomplete" },
};

test("every broken server has an expectation", () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(BROKEN_SHOPS).sort());
});

test.each(Object.entries(expected))(
  "%s: exactly what is broken is found",
  async (broken, { version, failed, advised = [], outcome = "failed" }) => {
    const bad = await startProtectedBookshop({ broken });
    onTestFinished(() => bad.close());
    const run = await judge({ serverUrl: bad.url, ...(version && { protocolVersion: version }) });
    expect(named(run, "failed")).toEqual(failed);
    const warned = run.report.steps.filter(({ rule, warnings = [] }) => rule && warnings.length > 0);
    expect(warned.map(({ step }) => step)).toEqual(expect.arrayContaining(advised));
    expect(run.report.outcome).toBe(outcome);
    expect(leaks(run)).toEqual([]);
  },
);

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
