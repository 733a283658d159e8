/** @module Credentials at a server that really asks for them: refused without, let in with, renewed when spent, kept, and never shown. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../testing/world.ts";

let shop: Awaited<ReturnType<typeof startProtectedBookshop>>;
let signedIn: Awaited<ReturnType<typeof shop.signIn>>;
beforeAll(async () => {
  shop = await startProtectedBookshop();
  signedIn = await shop.signIn("books:read offline_access");
});
afterAll(() => shop.close());

test("without a credential the error says where to sign in", async () => {
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle("tools", "list", "--url", shop.url);
  expect({ ...JSON.parse(stderr).error, exitCode }).toMatchObject({ code: "OAUTH_REQUIRED", exitCode: 1 });
  const human = await fettle("tools", "list", "--url", shop.url, "--format", "human");
  expect(human.stderr).toContain(`fettle oauth login --url ${shop.url}`);
});

test("with an access token it lets us in, and the token is nowhere in the output", async () => {
  const { fettle } = await testWorld();
  for (const command of [
    ["tools", "list"],
    ["server", "doctor"],
    ["server", "probe"],
  ]) {
    const { stdout, exitCode } = await fettle(
      ...command,
      "--url",
      shop.url,
      "--access-token",
      signedIn.accessToken,
      "--rpc",
    );
    expect({ exitCode, leaked: stdout.includes(signedIn.accessToken) }).toEqual({
      exitCode: 0,
      leaked: false,
    });
  }
});

test("a refresh token in a file is used when the access token is spent, and what comes back is kept", async () => {
  const world = await testWorld();
  const path = join(world.cwd, "credentials.json");
  const { refreshToken = "", clientId } = signedIn;
  const spent = {
    version: 1,
    serverUrl: shop.url,
    accessToken: "spent-access-token",
    expiresAt: "2020-01-01T00:00:00.000Z",
    refreshToken,
    clientId,
  };
  await writeFile(path, JSON.stringify(spent));
  const { stdout, exitCode } = await world.fettle(
    "server",
    "doctor",
    "--url",
    shop.url,
    "--credentials-file",
    path,
    "--rpc",
  );
  expect({ exitCode, status: JSON.parse(stdout).status }).toEqual({ exitCode: 0, status: "ready" });
  const kept = JSON.parse(await readFile(path, "utf8"));
  expect(kept).toMatchObject({ version: 1, serverUrl: shop.url, clientId, accessToken: expect.any(String) });
  expect(kept.accessToken).not.toBe("spent-access-token");
  expect(Date.parse(kept.expiresAt)).toBeGreaterThan(Date.now());
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const secret of [kept.accessToken, kept.refreshToken, refreshToken])
    expect(stdout).not.toContain(secret);
});

describe("a refresh token that is good once", () => {
  test("serves every connection of a command", async () => {
    const { world, path, spend } = await spentLogin();
    const compat = await world.fettle("compat", "--url", shop.url, "--credentials-file", path);
    expect(outcomesByVersion(compat.stdout)).toEqual(everyVersionTold);
    await spend();
    const later = await world.fettle("tools", "list", "--url", shop.url, "--credentials-file", path);
    expect(later).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("serves every connection of a command it was typed for", async () => {
    const world = await testWorld();
    const { refreshToken = "", clientId } = await shop.signIn("books:read offline_access");
    const { stdout } = await world.fettle(
      ...["compat", "--url", shop.url, "--refresh-token", refreshToken, "--client-id", clientId],
    );
    expect(outcomesByVersion(stdout)).toEqual(everyVersionTold);
  });

  test("serves commands that run at the same time", async () => {
    const { world, path, spend } = await spentLogin();
    const list = () => world.fettle("tools", "list", "--url", shop.url, "--credentials-file", path);
    const together = await Promise.all([list(), list(), list()]);
    expect(together.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    await spend();
    expect(await list()).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await readdir(world.cwd)).toEqual(["credentials.json"]);
  });

  test("is used when the server refuses a token that should still be good", async () => {
    const { world, path, content } = await spentLogin();
    const { expiresAt: _none, ...lasting } = content;
    await writeFile(path, JSON.stringify({ ...lasting, accessToken: "revoked" }));
    const listed = await world.fettle("tools", "list", "--url", shop.url, "--credentials-file", path);
    expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(await readFile(path, "utf8")).accessToken).not.toBe("revoked");
  });

  test("is followed by a sign-in when it is refused, and the hint is the command for that", async () => {
    const { world, path, content } = await spentLogin();
    await writeFile(path, JSON.stringify({ ...content, refreshToken: "used-before" }));
    const { exitCode, stderr } = await world.fettle(
      ...["tools", "list", "--url", shop.url, "--credentials-file", path, "--format", "human"],
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`fettle oauth login --url ${shop.url} --credentials-out ${path}`);
  });
});

/** Each version has a connection of its own. */
function outcomesByVersion(stdout: string): string[] {
  return JSON.parse(stdout).protocolVersions.map(({ is }: { is: string }) => is);
}
const everyVersionTold = ["accepted", "accepted", "accepted", "accepted"];

/** A login of its own in a file, its access token over. */
async function spentLogin() {
  const world = await testWorld();
  const path = join(world.cwd, "credentials.json");
  const { refreshToken, clientId, accessToken } = await shop.signIn("books:read offline_access");
  const expiresAt = "2020-01-01T00:00:00.000Z";
  const content = { version: 1, serverUrl: shop.url, accessToken, expiresAt, refreshToken, clientId };
  await writeFile(path, JSON.stringify(content));
  const spend = async () => {
    const kept = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...kept, expiresAt }));
  };
  return { world, path, content, spend };
}

test("a fault that passes is tried again, as often as asked", async () => {
  let asked = 0;
  const flaky = createServer((request, response) => {
    request.resume();
    asked++;
    if (asked <= 2) response.writeHead(503).end();
    else
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"jsonrpc":"2.0","id":1,"result":{}}');
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => flaky.once("listening", resolve));
  onTestFinished(() => void flaky.close());
  const url = `http://127.0.0.1:${(flaky.address() as { port: number }).port}/mcp`;
  const { fettle } = await testWorld();
  const { stderr } = await fettle("server", "ping", "--url", url, "--retries", "1", "--retry-delay-ms", "1");
  expect(stderr).toContain("Trying again in 1 ms (1 of 1).");
  expect(asked).toBeGreaterThan(2);
});
