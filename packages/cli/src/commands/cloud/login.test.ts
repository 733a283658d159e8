import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TestDeployment, testDeployment } from "../../testing/deployment.ts";
import { type TestWorldOptions, testWorld } from "../../testing/world.ts";

/** A person who opens whatever address they are shown, and keeps what the last page said. */
function browser() {
  const pages: string[] = [];
  const onStderr = (chunk: string) => {
    const address = /^http\S+$/m.exec(chunk)?.[0];
    if (address) {
      fetch(address).then(
        async (response) => pages.push(await response.text()),
        (error) => pages.push(String(error)),
      );
    }
  };
  return { pages, onStderr };
}

async function signIn(deployment: TestDeployment, options: TestWorldOptions = {}, ...argv: string[]) {
  const { pages, onStderr } = browser();
  const world = await testWorld({ onStderr, ...options });
  const done = await world.fettle("cloud", "login", "--no-browser", "--api-url", deployment.apiUrl, ...argv);
  const file = join(world.home, ".fettle", "auth.json");
  return {
    world,
    ...done,
    file,
    pages,
    stored: await readFile(file, "utf8").then(JSON.parse, () => undefined),
  };
}

test("a login is approved in the browser, kept for the person alone, and used from then on", async () => {
  const deployment = await testDeployment();
  const { world, stdout, exitCode, file, stored, pages } = await signIn(deployment);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    status: "logged_in",
    issuer: deployment.origin,
    apiUrl: deployment.apiUrl,
    authFile: file,
    email: "ada@example.com",
    plan: "team",
    expiresAt: new Date(stored.expiresAt).toISOString(),
  });
  await expect.poll(() => pages).toEqual(["Done approved"]);
  expect(stored).toMatchObject({ version: 1, clientId: "fettle-cli", email: "ada@example.com" });
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  expect(stdout).not.toContain(stored.accessToken);

  const who = await world.fettle("cloud", "whoami");
  expect(JSON.parse(who.stdout)).toEqual({
    id: "user_1",
    email: "ada@example.com",
    name: "Ada",
    plan: "team",
    credential: "oauth",
  });
  expect(deployment.seen.at(-1)!.headers).toMatchObject({
    authorization: `Bearer ${stored.accessToken}`,
    "user-agent": expect.stringMatching(/^fettle-cli\/\d/),
  });
});

test("the request carries a challenge, a state, a loopback address and a device name", async () => {
  const deployment = await testDeployment();
  await signIn(deployment);
  const asked = new URL(
    deployment.seen.find(({ path }) => path.startsWith("/cli/authorize"))!.path,
    "http://x",
  );
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    response_type: "code",
    client_id: "fettle-cli",
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    state: expect.stringMatching(/^[\w-]{32}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    device_name: expect.any(String),
  });
});

test("headers for a proxy go along with every request of the login", async () => {
  const deployment = await testDeployment();
  await signIn(deployment, {}, "--api-header", "X-Proxy: 1");
  const own = deployment.seen.filter(({ path }) => !path.startsWith("/cli/"));
  expect(own.map(({ headers }) => headers["x-proxy"])).toEqual(["1", "1", "1"]);
});

test("an account that cannot be looked up is a warning, which --quiet silences", async () => {
  const deployment = await testDeployment();
  deployment.answers.set("GET /api/v1/me", (response) => response.writeHead(500).end());
  const loud = await signIn(deployment);
  expect(loud.exitCode).toBe(0);
  expect(loud.stderr).toContain("! Signed in, but the account could not be looked up");
  expect(JSON.parse(loud.stdout)).not.toHaveProperty("email");
  const quiet = await signIn(deployment, {}, "--quiet");
  expect(quiet.stderr).toMatch(/^Open this address to approve the login:\nhttp\S+\n$/);
});

describe("nothing is saved", () => {
  test.each<[string, (deployment: TestDeployment) => void, string, string]>([
    [
      "when the person declines",
      (d) => (d.person = "declines"),
      "OPERATIONAL_ERROR",
      "the request was declined.",
    ],
    [
      "when the code is refused",
      (d) => d.answers.set("POST /oauth/token", (r) => r.writeHead(400).end('{"error":"invalid_grant"}')),
      "OPERATIONAL_ERROR",
      "Not signed in: invalid_grant",
    ],
    [
      "without a refresh token",
      (d) => d.answers.set("POST /oauth/token", (r) => r.writeHead(200).end('{"access_token":"a"}')),
      "OPERATIONAL_ERROR",
      "no refresh token",
    ],
    [
      "when another issuer answers",
      (d) => (d.config.issuer = "https://other.example"),
      "OPERATIONAL_ERROR",
      "another service answered",
    ],
    [
      "when the deployment offers no login",
      (d) => d.answers.set("GET /api/cli/auth/config", (r) => r.writeHead(501).end()),
      "OPERATIONAL_ERROR",
      "does not offer a login",
    ],
    [
      "when the settings lead to a place that is not safe",
      (d) => (d.config.tokenEndpoint = "http://evil.example/token"),
      "OPERATIONAL_ERROR",
      "tokenEndpoint is not a safe address",
    ],
    [
      "when the code would be sent to another machine",
      (d) => (d.config.redirectUri = "https://evil.example/callback"),
      "OPERATIONAL_ERROR",
      "redirectUri is not a loopback address",
    ],
    [
      "when the settings are a redirect",
      (d) => d.answers.set("GET /api/cli/auth/config", (r) => r.writeHead(302, { location: "/" }).end()),
      "SERVER_UNREACHABLE",
      "could not be reached",
    ],
  ])("%s", async (_, arrange, code, message) => {
    const deployment = await testDeployment();
    arrange(deployment);
    const { stdout, stderr, exitCode, stored } = await signIn(deployment);
    expect({ stdout, exitCode, stored }).toEqual({ stdout: "", exitCode: 1, stored: undefined });
    const said = stderr.trimEnd().split("\n").at(-1)!;
    expect(JSON.parse(said).error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("when nobody is there", async () => {
    const world = await testWorld();
    const { stderr, exitCode } = await world.fettle(
      "cloud",
      "login",
      "--api-url",
      "http://127.0.0.1:9/api/v1",
    );
    expect(JSON.parse(stderr).error.code).toBe("SERVER_UNREACHABLE");
    expect(exitCode).toBe(1);
  });
});

test.each([
  [["--api-key", "sk_1234"], "--api-key"],
  [["--api-url", "nope"], "--api-url"],
  [["--api-header", "nope"], "--api-header"],
  [["--api-header", "Authorization: Basic x"], "Authorization"],
])("%j is a usage error before anything is asked", async (argv, message) => {
  const { stdout, stderr, exitCode } = await (await testWorld()).fettle("cloud", "login", ...argv);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  expect(JSON.parse(stderr).error.message).toContain(message);
});

test("signing in again uses the deployment of the last login", async () => {
  const deployment = await testDeployment();
  const { world } = await signIn(deployment);
  const again = await testWorld({ home: world.home, onStderr: browser().onStderr });
  expect((await again.fettle("cloud", "login", "--no-browser")).exitCode).toBe(0);
});

test("answers of strangers to the loopback port change nothing", async () => {
  const deployment = await testDeployment();
  deployment.person = "approves";
  const strangers: number[] = [];
  const { pages, onStderr } = browser();
  const world = await testWorld({
    async onStderr(chunk) {
      const address = /^http\S+$/m.exec(chunk)?.[0];
      if (!address) return;
      const place = new URL(address).searchParams.get("redirect_uri")!;
      for (const wrong of [
        `${place}?code=x&state=guessed`,
        `${place}?error=access_denied`,
        new URL("/", place),
      ]) {
        strangers.push((await fetch(wrong)).status);
      }
      strangers.push((await fetch(place, { method: "POST" })).status);
      onStderr(chunk);
    },
  });
  const { exitCode } = await world.fettle("cloud", "login", "--no-browser", "--api-url", deployment.apiUrl);
  expect({ exitCode, strangers }).toEqual({ exitCode: 0, strangers: [400, 400, 404, 404] });
  await expect.poll(() => pages).toEqual(["Done approved"]);
});

test("the browser learns how it ended, and the port is closed", async () => {
  const deployment = await testDeployment();
  deployment.person = "declines";
  const declined = await signIn(deployment);
  await expect.poll(() => declined.pages).toEqual(["Done denied"]);
  deployment.person = "approves";
  deployment.answers.set("POST /oauth/token", (response) => response.writeHead(400).end("{}"));
  const refused = await signIn(deployment);
  await expect.poll(() => refused.pages).toEqual(["Not signed in. The terminal says why.\n"]);
  const asked = deployment.seen.findLast(({ path }) => path.startsWith("/cli/authorize"))!;
  const place = new URL(asked.path, "http://x").searchParams.get("redirect_uri")!;
  await expect(fetch(place)).rejects.toThrow();
});

/** Once, with a time to come back; from then on as usual. */
function onceTurnedAway(deployment: TestDeployment, route: string): void {
  deployment.answers.set(route, (response) => {
    deployment.answers.delete(route);
    response.writeHead(429, { "retry-after": "0" }).end();
  });
}

test("a login that is turned away for a moment comes back by itself", async () => {
  const deployment = await testDeployment();
  for (const route of ["GET /api/cli/auth/config", "POST /oauth/token"]) onceTurnedAway(deployment, route);
  expect((await signIn(deployment)).exitCode).toBe(0);
});

describe("a token near its end", () => {
  async function nearlyExpired() {
    const deployment = await testDeployment();
    deployment.lifetime = 30;
    const signedIn = await signIn(deployment);
    deployment.lifetime = 3600;
    deployment.seen.length = 0;
    return { deployment, ...signedIn };
  }

  test("is renewed once, however many commands need it at the same moment", async () => {
    const { deployment, world, file, stored } = await nearlyExpired();
    const all = await Promise.all(Array.from({ length: 5 }, () => world.fettle("cloud", "whoami")));
    expect(all.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0]);
    expect(deployment.seen.filter(({ path }) => path === "/oauth/token")).toHaveLength(1);
    const renewed = JSON.parse(await readFile(file, "utf8"));
    expect(renewed).toMatchObject({ email: "ada@example.com", apiUrl: deployment.apiUrl });
    expect(renewed.refreshToken).not.toBe(stored.refreshToken);
  });

  test("keeps the old refresh token when no new one is given", async () => {
    const { deployment, world, file, stored } = await nearlyExpired();
    deployment.answers.set("POST /oauth/token", (response) =>
      response.writeHead(200).end(JSON.stringify({ access_token: "at_new", expires_in: 3600 })),
    );
    await world.fettle("cloud", "whoami");
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      accessToken: "at_new",
      refreshToken: stored.refreshToken,
    });
  });

  test("is used to its end when the token endpoint is out of order", async () => {
    const { deployment, world } = await nearlyExpired();
    deployment.answers.set("POST /oauth/token", (response) => response.writeHead(503).end());
    expect((await world.fettle("cloud", "whoami")).exitCode).toBe(0);
  });

  test("that is turned away for a moment is asked for again, and is no refusal when it stays away", async () => {
    const { deployment, world, file, stored } = await nearlyExpired();
    onceTurnedAway(deployment, "POST /oauth/token");
    expect((await world.fettle("cloud", "whoami")).exitCode).toBe(0);
    expect(JSON.parse(await readFile(file, "utf8")).refreshToken).not.toBe(stored.refreshToken);
    await writeFile(file, JSON.stringify({ ...stored, expiresAt: 1 }));
    deployment.answers.set("POST /oauth/token", (r) => r.writeHead(429, { "retry-after": "600" }).end());
    const { stderr, exitCode } = await world.fettle("cloud", "whoami");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "RATE_LIMITED", hint: "Try again in 600 s." });
    expect(JSON.parse(await readFile(file, "utf8")).refreshToken).toBe(stored.refreshToken);
  });

  test("that is refused asks for a new login", async () => {
    const { world, file, stored } = await nearlyExpired();
    await writeFile(file, JSON.stringify({ ...stored, refreshToken: "rt_unknown" }));
    const { stderr, exitCode } = await world.fettle("cloud", "whoami", "--format", "human");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("→ Sign in again with `fettle cloud login`.");
  });
});

describe("logout", () => {
  test("forgets the login here and at the service", async () => {
    const deployment = await testDeployment();
    const { world, file, stored } = await signIn(deployment);
    const { stdout, stderr, exitCode } = await world.fettle("cloud", "logout");
    expect(JSON.parse(stdout)).toEqual({ status: "logged_out", authFile: file });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(deployment.seen.at(-1)).toMatchObject({
      path: "/oauth/revoke",
      form: { token: stored.refreshToken },
    });
    await expect(stat(file)).rejects.toThrow("ENOENT");
    expect(JSON.parse((await world.fettle("cloud", "logout")).stdout).status).toBe("not_logged_in");
  });

  test("works while the service is away, and says so", async () => {
    const deployment = await testDeployment();
    const { world, file } = await signIn(deployment);
    deployment.answers.set("POST /oauth/revoke", (response) => response.destroy());
    const { stderr, exitCode } = await world.fettle("cloud", "logout");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("! The service could not be told");
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  test("warns, for people only, that a key in the environment still counts", async () => {
    const world = await testWorld({ env: { FETTLE_API_KEY: "sk_abcdefgh" } });
    expect((await world.fettle("cloud", "logout", "--format", "human")).stderr).toContain(
      "FETTLE_API_KEY is set",
    );
    expect(await world.fettle("cloud", "logout")).toMatchObject({ stderr: "", exitCode: 0 });
  });
});
