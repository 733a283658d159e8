/** @module Signing in from the terminal against a real authorization server: tokens kept, used, renewed and never shown where they should not be. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ProtectedBookshop, startBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let shop: ProtectedBookshop;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(() => shop.close());

const login = ["oauth", "login", "--auth-mode", "headless"];

test("the tokens go to a file of one's own, and other commands work with it", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(
    ...login,
    "--url",
    shop.url,
    "--credentials-out",
    "kept/credentials.json",
    "--debug-out",
    "debug.json",
    "--verify-call-tool",
    "list_orders",
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const path = join(world.cwd, "kept/credentials.json");
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    completed: true,
    protocolVersion: "2026-07-28",
    registrationStrategy: "dcr",
    protocolMode: "auto",
    registrationMode: "auto",
    authMode: "headless",
    currentStep: "complete",
    credentials: { accessToken: "[SAVED_TO_FILE]", refreshToken: "[SAVED_TO_FILE]", tokenType: "Bearer" },
    credentialsFile: path,
    verification: { listTools: { passed: true, toolCount: 9 }, callTool: { passed: true } },
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(await readFile(path, "utf8"));
  expect(kept).toMatchObject({ version: 1, serverUrl: shop.url, clientId: result.credentials.clientId });
  const debug = await readFile(join(world.cwd, "debug.json"), "utf8");
  expect(JSON.parse(debug)).toMatchObject({
    command: { name: "oauth login" },
    outcome: { status: "success" },
    snapshot: { status: "ready" },
  });
  for (const secret of [kept.accessToken, kept.refreshToken]) {
    expect([stdout, debug].filter((text) => text.includes(secret))).toEqual([]);
  }
  const call = await world.fettle(
    ...["tools", "call", "--url", shop.url, "--credentials-file", path, "--tool-name", "list_orders"],
  );
  expect(call.exitCode).toBe(0);
});

test("a server that answers questions of a version it does not speak is signed in to, and its own version is told", async () => {
  const lax = await startProtectedBookshop({ broken: "lists-without-handshake" });
  onTestFinished(() => lax.close());
  const world = await testWorld();
  const { stdout, exitCode } = await world.fettle(...login, "--url", lax.url, "--verify-tools");
  expect(JSON.parse(stdout)).toMatchObject({
    completed: true,
    protocolVersion: "2025-11-25",
    spokenVersion: "2025-11-25",
    verification: { listTools: { passed: true, toolCount: 9 } },
  });
  expect(exitCode).toBe(0);
  const human = await world.fettle(...login, "--url", lax.url, "--format", "human");
  expect(human.stdout).toMatch(/Version +2025-11-25/);
  expect(human.stdout).not.toMatch(/Version +2026-07-28/);
});

test("an expired token is renewed when the file is used, by the client that was registered", async () => {
  const brief = await startProtectedBookshop({ accessTokenSeconds: 30 });
  onTestFinished(() => brief.close());
  const world = await testWorld();
  const path = join(world.cwd, "credentials.json");
  await world.fettle(...login, "--url", brief.url, "--credentials-out", path);
  const before = JSON.parse(await readFile(path, "utf8"));
  const call = await world.fettle("tools", "list", "--url", brief.url, "--credentials-file", path);
  expect(call.exitCode).toBe(0);
  const after = JSON.parse(await readFile(path, "utf8"));
  expect(after.accessToken).not.toBe(before.accessToken);
  expect(after.refreshToken).not.toBe(before.refreshToken);
});

test("without a file the tokens are printed, and work; the record of the requests stays without them", async () => {
  const world = await testWorld();
  const { stdout } = await world.fettle(...login, "--url", shop.url, "--registration", "dcr");
  const { credentials, ...rest } = JSON.parse(stdout);
  const { accessToken, refreshToken } = credentials;
  expect(JSON.stringify(rest)).not.toContain(accessToken);
  expect(JSON.stringify(rest)).not.toContain(refreshToken);
  const call = await world.fettle("tools", "list", "--url", shop.url, "--access-token", accessToken);
  expect(call.exitCode).toBe(0);
});

test("a machine signs in with its secret, which is printed nowhere", async () => {
  const { clientId, clientSecret } = shop.machineClient;
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(
    ...["oauth", "login", "--url", shop.url, "--auth-mode", "client_credentials"],
    ...["--client-id", clientId, "--client-secret", clientSecret, "--credentials-out", "c.json"],
    ...["--debug-out", "debug.json", "--verify-tools"],
  );
  expect(exitCode).toBe(0);
  const debug = await readFile(join(world.cwd, "debug.json"), "utf8");
  expect([stdout, stderr, debug].filter((text) => text.includes(clientSecret))).toEqual([]);
});

test("for eyes it is a story: what was asked, what was chosen and why", async () => {
  const world = await testWorld({ terminal: 120, env: { NO_COLOR: "1" } });
  const { stdout, stderr } = await world.fettle(...login, "--url", shop.url, "--credentials-out", "c.json");
  expect(stdout).toContain("✓ Ask the server without a token");
  expect(stdout).toContain("How to become a client: dcr of cimd, dcr. No metadata document was given");
  expect(stdout).toContain("✓ Signed in");
  expect(stderr).toContain(`fettle tools list --url ${shop.url} --credentials-file`);
});

test("a server that wants no token is told apart from a login that failed", async () => {
  const open = await startBookshop();
  onTestFinished(() => open.close());
  const { fettle } = await testWorld();
  const { stdout, exitCode } = await fettle(...login, "--url", open.url);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    completed: false,
    error: { hint: expect.stringContaining("needs no token") },
  });
});

test("an answer with somebody else's state does not end the wait of a person", async () => {
  const asking = Promise.withResolvers<string>();
  let said = "";
  const world = await testWorld({
    onStderr: (chunk) => {
      said += chunk;
      const address = /^(http\S+)$/m.exec(said)?.[1];
      if (address) asking.resolve(address);
    },
  });
  const done = world.fettle("oauth", "login", "--url", shop.url, "--credentials-out", "c.json");
  const address = await asking.promise;
  const redirectUri = new URL(address).searchParams.get("redirect_uri")!;
  const stranger = await fetch(`${redirectUri}?code=stolen&state=guessed`);
  expect(stranger.status).toBe(400);
  const page = await fetch(await shop.agree(address, redirectUri));
  expect([page.status, page.headers.get("content-security-policy"), await page.text()]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
    "Signed in. You may close this page.\n",
  ]);
  expect((await done).exitCode).toBe(0);
});

test.each([
  [["--registration", "preregistered"], "needs --client-id"],
  [["--auth-mode", "client_credentials", "--client-id", "x"], "needs --client-secret"],
  [["--auth-mode", "client_credentials", "--registration", "cimd"], "do not go together"],
  [
    [
      "--registration",
      "cimd",
      "--protocol-version",
      "2025-06-18",
      "--client-metadata-url",
      "https://a.example/c",
    ],
    "from 2025-11-25 on",
  ],
  [["--registration", "cimd"], "needs --client-metadata-url"],
  [["--client-secret", "x"], "needs --client-id"],
  [["--client-key", "key.pem"], "goes with --client-id"],
  [["--client-key", "key.pem", "--client-id", "x"], "cannot be read"],
  [["--assertion", "token.jwt", "--client-id", "x"], "client_credentials"],
  [["--redirect-url", "https://a.example/cb"], "must be http on localhost"],
  [["--redirect-url", "http://[::1]:8123/cb"], "must be http on localhost"],
  [["--redirect-url", "nowhere"], "not a URL"],
  [["--protocol-version", "2024-11-05"], "2025-03-26"],
  [["--header", "nothing"], "--header"],
])("%j is refused before anything is asked", async (flags, words) => {
  const { fettle } = await testWorld();
  const { stderr, stdout, exitCode } = await fettle(
    "oauth",
    "login",
    "--url",
    "http://127.0.0.1:9/mcp",
    ...flags,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(JSON.parse(stderr).error.message).toContain(words);
});
