/** @module The flow against a real authorization server, right ones and broken ones: where it ends, what it decided, and that it tells no secret. */
import tls from "node:tls";
import {
  type ClientDocument,
  type ProtectedBookshop,
  startClientDocument,
  startProtectedBookshop,
} from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Flow, runFlow } from "./flow.ts";
import type { FlowMemory } from "./flow-memory.ts";
import type { FlowOptions } from "./flow-options.ts";
import { oauthVersions } from "./flow-step.ts";

const redirectUri = "http://127.0.0.1:33421/callback";
const trusted = tls.getCACertificates("default");
let shop: ProtectedBookshop;
let document: ClientDocument;
beforeAll(async () => {
  shop = await startProtectedBookshop();
  document = await startClientDocument([redirectUri]);
  tls.setDefaultCACertificates([...trusted, document.certificate]);
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await document.close();
  await shop.close();
});

const walk = (options: Partial<FlowOptions> = {}) =>
  runFlow({ serverUrl: shop.url, authMode: "headless", strict: true, redirectUri, ...options });

const statuses = ({ run }: Flow) => run.steps.map(({ step, status }) => `${step} ${status}`);
const failedAt = ({ run }: Flow) => run.steps.find(({ status }) => status === "failed")?.step;

describe.each(oauthVersions)("by the rules of %s", (protocolVersion) => {
  const ways: [string, () => Partial<FlowOptions>][] = [
    ["dcr, headless", () => ({ registration: "dcr" })],
    ["preregistered, headless", () => ({ registration: "preregistered", ...shop.registeredClient })],
    [
      "dcr, interactive",
      () => ({
        registration: "dcr",
        authMode: "interactive",
        askPerson: (url) => shop.agree(url, redirectUri),
      }),
    ],
    ["dcr, client credentials", () => ({ registration: "dcr", authMode: "client_credentials" })],
    [
      "preregistered, client credentials",
      () => ({ registration: "preregistered", authMode: "client_credentials", ...shop.machineClient }),
    ],
    ...(protocolVersion < "2025-11-25"
      ? []
      : ([["cimd, headless", () => ({ registration: "cimd", clientMetadataUrl: document.url })]] satisfies [
          string,
          () => Partial<FlowOptions>,
        ][])),
  ];
  test.each(ways)("%s comes to a token that works", async (_way, options) => {
    const flow = await walk({ protocolVersion, ...options() });
    expect(flow.run.failure).toBeUndefined();
    expect(statuses(flow)).toMatchSnapshot();
    expect(flow.gains.tokens?.accessToken).toEqual(expect.any(String));
    const told = JSON.stringify(flow.run);
    expect(flow.gains.secrets.filter((secret) => told.includes(secret))).toEqual([]);
  });
});

test("left to itself it finds out the version, how to register and what to ask for, and says why", async () => {
  const { run } = await walk({ strict: false });
  expect(run).toMatchObject({ completed: true, protocolVersion: "2026-07-28", registration: "dcr" });
  const decisions = run.steps.flatMap((step) => step.decisions.map(({ about, picked }) => [about, picked]));
  expect(Object.fromEntries(decisions)).toMatchObject({
    "Which authorization server": shop.issuer,
    "How to become a client": "dcr",
    "How to authenticate at the token endpoint": "none",
    "Which scope": "books:read offline_access",
    "Which protocol version": "2026-07-28",
  });
});

test("a token works also where no answer shows which version is spoken, and then none is told", async () => {
  // Its own revision is neither of the two that it is asked in.
  const odd = await startProtectedBookshop({ broken: "answers-without-a-version" });
  onTestFinished(() => odd.close());
  const { run } = await walk({ serverUrl: odd.url, strict: false });
  expect(run).toMatchObject({ completed: true, protocolVersion: "2025-11-25" });
  expect(run.spokenVersion).toBeUndefined();
  expect(run.steps.flatMap(({ decisions }) => decisions.map(({ about }) => about))).not.toContain(
    "Which protocol version",
  );
});

test.each([
  ["wrong-issuer", "2026-07-28", "received_authorization_server_metadata", "another issuer"],
  ["no-pkce-metadata", "2025-11-25", "received_authorization_server_metadata", "PKCE"],
  ["no-response-types", "2025-11-25", "received_authorization_server_metadata", "response_types_supported"],
  ["no-iss", "2026-07-28", "received_authorization_code", "does not name its issuer"],
  ["other-iss", "2026-07-28", "received_authorization_code", "another issuer"],
  ["wrong-state", "2025-06-18", "received_authorization_code", "state"],
  ["metadata-elsewhere", "2025-11-25", "request_authorization_server_metadata", "169.254.169.254"],
  ["other-resource", "2025-11-25", "received_resource_metadata", "not this server"],
  ["no-authorization-servers", "2025-11-25", "received_resource_metadata", "no authorization server"],
] as const)("a shop with %s ends a strict flow of %s at %s", async (broken, protocolVersion, step, words) => {
  const bad = await startProtectedBookshop({ broken });
  onTestFinished(() => bad.close());
  const flow = await walk({ serverUrl: bad.url, protocolVersion, registration: "dcr" });
  expect(failedAt(flow)).toBe(step);
  expect(flow.run.failure?.message).toContain(words);
  expect(flow.gains.tokens).toBeUndefined();
});

test.each([
  ["wrong-issuer", "2025-11-25", "another issuer"],
  ["no-pkce-metadata", "2025-06-18", "PKCE"],
  ["no-iss", "2025-11-25", "does not name its issuer"],
] as const)("earlier versions let %s pass with a warning", async (broken, protocolVersion, words) => {
  const bad = await startProtectedBookshop({ broken });
  onTestFinished(() => bad.close());
  const { run } = await walk({ serverUrl: bad.url, protocolVersion, registration: "dcr" });
  expect(run.completed).toBe(true);
  expect(run.steps.flatMap(({ warnings }) => warnings).join("\n")).toContain(words);
});

test("a document that names another client is refused before anyone is asked", async () => {
  document.also = { client_id: "https://other.example/client.json" };
  onTestFinished(() => {
    document.also = {};
  });
  const flow = await walk({
    protocolVersion: "2025-11-25",
    registration: "cimd",
    clientMetadataUrl: document.url,
  });
  expect(failedAt(flow)).toBe("cimd_metadata_response");
});

test("a page that wants a person ends a flow that has none", async () => {
  const asking = await startProtectedBookshop({ consent: "page" });
  onTestFinished(() => asking.close());
  const flow = await walk({ serverUrl: asking.url, protocolVersion: "2025-11-25", registration: "dcr" });
  expect(failedAt(flow)).toBe("authorization_request");
  expect(flow.run.failure?.hint).toContain("interactive");
});

test("a server that is not there is a network's failure, told with its code", async () => {
  const { run } = await walk({ serverUrl: "http://127.0.0.1:9/mcp", protocolVersion: "2025-11-25" });
  expect(run.failure?.code).toBe("CONNECTION_REFUSED");
  expect(run.currentStep).toBe("request_without_token");
});

test("put down after each stage and taken up from plain data, it sends nothing twice and ends as it would in one go", async () => {
  let memory: FlowMemory | undefined;
  let back: URL | undefined;
  const stages: string[] = [];
  const taken: string[] = [];
  const goOn = async () => {
    const flow = await walk({
      strict: false,
      authMode: "interactive",
      askPerson: async () => back,
      oneStage: true,
      memory,
      beforeStep: (step) => void taken.push(step),
    });
    memory = JSON.parse(JSON.stringify(flow.memory));
    stages.push(flow.paused?.before ?? "the end");
    return flow;
  };
  let flow = await goOn();
  while (flow.paused && !flow.paused.authorizationUrl) flow = await goOn();
  expect(flow.run).toMatchObject({ completed: false, currentStep: "generate_pkce_parameters" });
  const asked = flow.paused!.authorizationUrl!;
  // Nobody came back: the question stays the same one.
  expect((await goOn()).paused?.authorizationUrl).toBe(asked);
  back = await shop.agree(asked, redirectUri);
  flow = await goOn();
  while (flow.paused) flow = await goOn();
  expect(stages).toEqual([
    "request_resource_metadata",
    "request_authorization_server_metadata",
    "request_client_registration",
    "generate_pkce_parameters",
    "authorization_request",
    "authorization_request",
    "token_request",
    "authenticated_mcp_request",
    "the end",
  ]);
  expect(flow.run).toMatchObject({ completed: true, registration: "dcr", protocolVersion: "2026-07-28" });
  expect(flow.run.steps.map(({ step }) => step)).toEqual([
    ...new Set(taken.filter((step) => flow.run.steps.some((each) => each.step === step))),
  ]);
  const sent = flow.run.steps.flatMap(({ exchanges }) =>
    exchanges.map(({ method, url }) => `${method} ${url}`),
  );
  expect(sent.filter((line) => line.includes("/reg"))).toHaveLength(1);
  expect(flow.gains.tokens?.accessToken).toEqual(expect.any(String));
  const told = JSON.stringify(flow.run);
  expect(flow.gains.secrets.filter((secret) => told.includes(secret))).toEqual([]);
});

test("a stage that failed begins anew, and only that one", async () => {
  let memory: FlowMemory | undefined;
  const taken: string[] = [];
  const tryAs = async (clientId: string, clientSecret?: string) => {
    const flow = await walk({
      protocolVersion: "2025-11-25",
      registration: "preregistered",
      clientId,
      clientSecret,
      memory,
      beforeStep: (step) => void taken.push(step),
    });
    memory = JSON.parse(JSON.stringify(flow.memory));
    return flow;
  };
  const { clientId, clientSecret } = shop.registeredClient;
  expect(failedAt(await tryAs(clientId, "wrong"))).toBe("token_request");
  taken.length = 0;
  const again = await tryAs(clientId, clientSecret);
  expect(taken[0]).toBe("token_request");
  expect(again.run.completed).toBe(true);
});

test("it may be looked at step by step, and stopped", async () => {
  const seen: string[] = [];
  const stop = new AbortController();
  const { run } = await walk({
    protocolVersion: "2025-11-25",
    registration: "dcr",
    signal: stop.signal,
    beforeStep: async (step) => {
      seen.push(step);
      if (step === "token_request") stop.abort();
    },
  });
  expect(seen.at(-1)).toBe("token_request");
  expect(run).toMatchObject({ completed: false, currentStep: "token_request", failure: { code: "ABORTED" } });
});
