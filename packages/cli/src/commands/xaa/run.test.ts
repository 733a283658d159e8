/** @module Cross-app access from end to end: the real service publishes the issuer, a real authorization server redeems. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EnterpriseBookshop, startEnterpriseBookshop } from "@fettle/samples";
import { type Serving, serve } from "@fettle/service";
import { silentLog, type TestDatabase, testDatabase } from "@fettle/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let home: string;
let database: TestDatabase;
let service: Serving;
let shop: EnterpriseBookshop;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "fettle-xaa-"));
  database = await testDatabase();
  const env = { DATABASE_URL: database.url.reveal(), FETTLE_HOME: home };
  service = await serve({ flags: { port: "0" }, env, log: silentLog });
  shop = await startEnterpriseBookshop({ trustedIssuers: [`${service.url}/xaa`] });
});

afterAll(async () => {
  await shop?.close();
  await service?.stop();
  await database?.close();
  await rm(home, { recursive: true, force: true });
});

const world = (env: Record<string, string> = {}, terminal?: number) =>
  testWorld({
    env: { FETTLE_HOME: home, FETTLE_API_URL: service.url, NO_COLOR: "1", ...env },
    ...(terminal && { terminal }),
  });

const at = (url: string, ...rest: string[]) => [
  ...["xaa", "run", "--url", url, "--issuer-base-url", service.url, "--sub", "ada"],
  ...rest,
];
const known = () => ["--client-id", shop.client.clientId, "--client-secret", shop.client.clientSecret];
const byKey = ["--registration", "cimd", "--client-auth", "private-key-jwt"];

async function result(argv: string[], env?: Record<string, string>) {
  const { stdout, stderr, exitCode } = await (await world(env)).fettle(...argv);
  return { ...JSON.parse(stdout || "{}"), stderr, stdout, exitCode };
}

test("a client the server knows gets through, and nothing secret is printed", async () => {
  const seen = await result(at(shop.url, ...known(), "--scopes", "books:read", "--email", "ada@example.com"));
  expect(seen).toMatchObject({
    exitCode: 0,
    completed: true,
    issuer: `${service.url}/xaa`,
    registration: { strategy: "preregistered", clientId: shop.client.clientId, warnings: [] },
    authzServerIssuer: shop.issuer,
    tokenEndpoint: `${shop.issuer}/token`,
    authorizationServerCapabilities: {
      idJagProfile: "advertised",
      jwtBearerGrant: "advertised",
      selectedTokenEndpointAuthMethod: "client_secret_basic",
    },
    idJag: {
      token: "[REDACTED]",
      verified: true,
      claims: {
        sub: "ada",
        aud: shop.issuer,
        client_id: shop.client.clientId,
        resource: shop.url,
        scope: "books:read",
      },
    },
    redemption: { status: 200, tokenIssued: true },
    mcp: { status: 200, ok: true, xaaExtension: "not_advertised" },
  });
  expect(seen.steps.map(({ step }: { step: string }) => step)).toEqual([
    "verify_issuer_publication",
    "discover_resource_metadata",
    "discover_authz_metadata",
    "authorization_server_id_jag_profile",
    "authorization_server_jwt_bearer_grant",
    "select_token_endpoint_auth_method",
    "mint_id_jag",
    "redeem_id_jag",
    "authenticated_mcp_request",
    "mcp_xaa_extension",
  ]);
  expect(seen.steps.at(-1).detail).toBe(
    "Not advertised, which is a finding and no fault: the extension io.modelcontextprotocol/enterprise-managed-authorization",
  );
  expect(seen.stdout + seen.stderr).not.toMatch(/eyJ[\w-]+\.eyJ/);
  expect(seen.stdout + seen.stderr).not.toContain(shop.client.clientSecret);
});

test("a client may register now, and the run says what the registration lacked", async () => {
  const seen = await result(at(shop.url, "--registration", "dcr"));
  expect(seen).toMatchObject({
    exitCode: 0,
    completed: true,
    registration: { strategy: "dcr", clientId: expect.stringMatching(/^client-/), warnings: [] },
  });
  expect(seen.stderr).toContain("stays behind");
});

test("the key is the identity: the same key is the same client, without its file it is another", async () => {
  const first = await result(at(shop.url, ...byKey));
  expect(first).toMatchObject({
    exitCode: 0,
    completed: true,
    registration: {
      strategy: "cimd",
      clientId: expect.stringMatching(`^${service.url}/.well-known/oauth/xaa-cimd/`),
    },
    authorizationServerCapabilities: { selectedTokenEndpointAuthMethod: "private_key_jwt" },
  });
  const again = await result(at(shop.url, ...byKey), { FETTLE_API_URL: "https://elsewhere.example" });
  expect(again.registration.clientId).toBe(first.registration.clientId);

  const keyFile = join(home, "xaa-client-key.pem");
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const privateKey = (await readFile(keyFile, "utf8")).split("\n")[1]!;
  expect(JSON.stringify(first)).not.toContain(privateKey);
  await rm(keyFile);
  const other = await result(at(shop.url, ...byKey));
  expect(other.completed).toBe(true);
  expect(other.registration.clientId).not.toBe(first.registration.clientId);
  expect((await readdir(home)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("XAA_CLIENT_PRIVATE_KEY is used when given, and a bad one is an error", async () => {
  const pem = execFileSync(process.execPath, [
    "-e",
    `console.log(require("node:crypto").generateKeyPairSync("ec",{namedCurve:"P-256"}).privateKey.export({format:"pem",type:"pkcs8"}))`,
  ]).toString();
  const seen = await result(at(shop.url, ...byKey), {
    XAA_CLIENT_PRIVATE_KEY: pem.trim().replaceAll("\n", "\\n"),
  });
  expect(seen.completed).toBe(true);

  for (const bad of ["not a key", '{"kty":"EC"}']) {
    const { stderr, exitCode } = await result(at(shop.url, ...byKey), { XAA_CLIENT_PRIVATE_KEY: bad });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("XAA_CLIENT_PRIVATE_KEY");
    expect(stderr).not.toContain(bad);
  }
});

test("a reflector serves what the key says, and refuses a private one", async () => {
  const seen = await result(at(shop.url, ...byKey));
  const served = await fetch(seen.registration.clientId);
  const document = (await served.json()) as { jwks: { keys: [object] } };
  expect(document).toMatchObject({
    client_id: seen.registration.clientId,
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [{ kty: "EC", crv: "P-256", alg: "ES256", kid: "xaa-client-1" }] },
  });
  const [key] = document.jwks.keys;
  const reflect = (jwk: unknown) =>
    fetch(
      `${service.url}/.well-known/oauth/xaa-cimd/${Buffer.from(JSON.stringify(jwk)).toString("base64url")}`,
    );
  expect((await reflect(key)).status).toBe(200);
  for (const wrong of [
    { ...key, d: "secret" },
    { ...key, crv: "P-384" },
    { ...key, x: "short" },
    { ...key, html: "<b>" },
    [],
  ]) {
    const answer = await reflect(wrong);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, "NOT_FOUND"]);
  }
});

test("an issuer that is not published stops the run before anything is signed", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "fettle-other-"));
  const seen = await result(at(shop.url, ...known()), { FETTLE_HOME: elsewhere });
  await rm(elsewhere, { recursive: true });
  expect(seen).toMatchObject({
    exitCode: 1,
    completed: false,
    error: expect.stringContaining("does not publish the key"),
  });
  expect(seen.steps).toEqual([expect.objectContaining({ step: "verify_issuer_publication", ok: false })]);
  expect(seen).not.toHaveProperty("idJag");
});

test("a refused grant ends the run; what the server reflects of it is taken out", async () => {
  await using echoing = Object.assign(
    await startEnterpriseBookshop({ trustedIssuers: [], echoesGrants: true }),
    {
      async [Symbol.asyncDispose]() {
        await echoing.close();
      },
    },
  );
  const seen = await result(at(echoing.url, ...known()));
  expect(seen).toMatchObject({
    exitCode: 1,
    completed: false,
    redemption: { status: 400, tokenIssued: false, error: "invalid_grant, Refused: [REDACTED]" },
  });
  expect(seen.stdout).not.toMatch(/eyJ[\w-]+\.eyJ/);
});

test("a careful server refuses every spoiled grant, a careless one is found out", async () => {
  const careful = await result(at(shop.url, ...known(), "--negative-probe", "all"));
  expect(careful).toMatchObject({ completed: true, exitCode: 0 });
  const outcomes = Object.fromEntries(
    careful.negativeProbes.map(({ mode, outcome }: { mode: string; outcome: string }) => [mode, outcome]),
  );
  expect(outcomes).toEqual({
    bad_signature: "rejected",
    wrong_audience: "rejected",
    expired: "rejected",
    missing_claims: "rejected",
    invalid_type_header: "rejected",
    wrong_issuer: "rejected",
    resource_mismatch: "rejected",
    client_id_mismatch: "rejected",
    unknown_kid: "rejected",
    unknown_sub: "accepted",
    scope_denial: "rejected",
  });

  await using careless = Object.assign(
    await startEnterpriseBookshop({
      trustedIssuers: [`${service.url}/xaa`],
      careless: ["type", "audience", "client", "expiry"],
    }),
    {
      async [Symbol.asyncDispose]() {
        await careless.close();
      },
    },
  );
  const seen = await result(at(careless.url, ...known(), "--negative-probe", "all"));
  const accepted = seen.negativeProbes.filter(({ outcome }: { outcome: string }) => outcome === "accepted");
  expect(accepted.map(({ mode }: { mode: string }) => mode)).toEqual([
    "wrong_audience",
    "expired",
    "invalid_type_header",
    "client_id_mismatch",
    "unknown_sub",
  ]);
  expect(seen).toMatchObject({ completed: true, exitCode: 1 });
  const policy = await result(at(careless.url, ...known(), "--negative-probe", "unknown_sub"));
  expect(policy).toMatchObject({ exitCode: 0, negativeProbes: [{ outcome: "accepted" }] });
});

test.each([
  [["--registration", "dcr", "--client-id", "x"], "--client-id does not go with --registration dcr"],
  [["--client-auth", "none", "--client-id", "x"], "--client-auth is only for --registration cimd"],
  [[], "--client-id"],
  [["--client-id", "x", "--token-endpoint-auth-method", "client_secret_post"], "needs --client-secret"],
  [["--registration", "cimd"], "--client-metadata-url"],
  [["--client-id", "x", "--negative-probe", "luck"], "knows no fault"],
  [["--client-id", "x", "--https-only"], "is not https"],
  [[...byKey, "--cimd-metadata-origin", "https://a.example/path"], "no path"],
])("%j is refused before anything is sent", async (flags, words) => {
  const { stderr, exitCode } = await result(at(shop.url, ...flags));
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});

test("for eyes: one line a step, and what a spoiled grant would mean", async () => {
  const { fettle } = await world({}, 100);
  const { stdout } = await fettle(...at(shop.url, ...known(), "--negative-probe", "expired"));
  expect(stdout).toContain("✓ redeem_id_jag");
  expect(stdout).toMatch(/expired\s+refused/);
});
