/** @module A watched sign-in: every stage with its evidence, and the rules of the suite judged by it, on right shops and broken ones. */

import { type FlowOptions, runFlow } from "@fettle/mcp";
import { type ProtectedBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { judgeSignIn, type SignInStage } from "./judge-sign-in.ts";

const redirectUri = "http://127.0.0.1:33425/callback";
let shop: ProtectedBookshop;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(() => shop.close());

async function watch(options: Partial<FlowOptions> = {}) {
  const serverUrl = options.serverUrl ?? shop.url;
  const flow = await runFlow({ serverUrl, authMode: "headless", strict: false, redirectUri, ...options });
  return { flow, stages: await judgeSignIn(flow, { serverUrl, authMode: "headless" }) };
}

const verdicts = (stages: SignInStage[]) =>
  Object.fromEntries(
    stages.flatMap((stage) => stage.verdicts).map(({ id, status, skipReason }) => [id, skipReason ?? status]),
  );

test("a right server passes every stage, each rule with its strength and the address of its sentence", async () => {
  const { flow, stages } = await watch();
  expect(stages.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "challenge passed",
    "resource passed",
    "issuer passed",
    "registration passed",
    "consent passed",
    "token passed",
    "call passed",
  ]);
  expect(verdicts(stages)).toEqual({
    oauth_unauthenticated_challenge: "passed",
    received_resource_metadata: "passed",
    oauth_resource_metadata_challenge: "passed",
    received_authorization_server_metadata: "passed",
    oauth_metadata_issuer: "passed",
    oauth_metadata_json: "passed",
    request_client_registration: "passed",
    received_authorization_code: "passed",
    oauth_iss_when_advertised: "passed",
    oauth_token_format: "passed",
    authenticated_mcp_request: "passed",
    oauth_insufficient_scope_challenge: "not-applicable",
  });
  for (const { rule } of stages.flatMap((stage) => stage.verdicts)) {
    expect(rule).toMatchObject({ word: expect.any(String), url: expect.stringMatching(/^https:\/\/.*#/) });
  }
  for (const stage of ["challenge", "resource", "issuer", "registration", "token", "call"]) {
    const { steps } = stages.find(({ id }) => id === stage)!;
    expect(steps.flatMap(({ httpAttempts }) => httpAttempts)).not.toEqual([]);
  }
  const told = JSON.stringify(stages);
  expect(flow.gains.secrets.filter((secret) => told.includes(secret))).toEqual([]);
});

test("what is not reached waits, and nothing is said of it", async () => {
  const { stages } = await watch({ oneStage: true });
  expect(stages.map(({ status }) => status)).toEqual(["passed", ...Array(6).fill("waiting")]);
  expect(verdicts(stages)).toEqual({ oauth_unauthenticated_challenge: "passed" });
});

test.each([
  ["wrong-issuer", "issuer", { oauth_metadata_issuer: "failed" }],
  ["other-resource", "resource", { received_resource_metadata: "failed" }],
  ["other-iss", "consent", { received_authorization_code: "failed" }],
  ["no-challenge", "", { oauth_unauthenticated_challenge: "failed" }],
] as const)("a shop with %s is told so at the stage %s", async (broken, failedStage, expected) => {
  const bad = await startProtectedBookshop({ broken });
  onTestFinished(() => bad.close());
  const { stages } = await watch({ serverUrl: bad.url });
  expect(verdicts(stages)).toMatchObject(expected);
  expect(stages.find(({ status }) => status === "failed")?.id ?? "").toBe(failedStage);
});

test("a server that nobody answers for is no broken rule", async () => {
  const { stages } = await watch({ serverUrl: "http://127.0.0.1:9/mcp" });
  expect(stages[0]).toMatchObject({ status: "could-not-run" });
  expect(verdicts(stages)).toEqual({ oauth_unauthenticated_challenge: "not-applicable" });
});
