import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

const login = {
  version: 1,
  issuer: "https://app.example",
  clientId: "fettle-cli",
  tokenEndpoint: "https://app.example/oauth/token",
  apiUrl: "https://app.example/api/v1",
  email: "ada@example.com",
  accessToken: "at_canary",
  refreshToken: "rt_canary",
};

async function signedIn(home: string) {
  await mkdir(join(home, ".fettle"), { recursive: true });
  await writeFile(join(home, ".fettle", "auth.json"), JSON.stringify(login));
}

async function linked(folder: string, content: unknown) {
  await mkdir(join(folder, ".fettle"), { recursive: true });
  await writeFile(join(folder, ".fettle", "project.json"), JSON.stringify(content));
}

const link = { version: 1, project: { id: "proj_1", name: "Alpha" }, apiUrl: "https://app.example/api/v1" };

test("no credential is a fact, not a failure", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle("cloud", "status");
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    credential: {
      source: "missing",
      kind: "none",
      valid: null,
      envShadowsOauth: false,
      storedOauthPresent: false,
    },
    deployment: { apiUrl: "http://localhost:7400/api/v1", source: "default", valid: true },
    project: { selector: null, source: "automatic", description: "newest accessible project" },
    link: { path: null, valid: null },
    warnings: [],
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

test("a key in the environment shadows the login, does not inherit its address, and is never shown whole", async () => {
  const world = await testWorld({ env: { FETTLE_API_KEY: "sk_secretsecretwxyz" } });
  await signedIn(world.home);
  await linked(world.cwd, link);
  const { stdout, exitCode } = await world.fettle("cloud", "status");
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    credential: {
      source: "env",
      kind: "api-key",
      valid: true,
      redactedKey: "sk_...wxyz",
      envShadowsOauth: true,
      storedOauthPresent: true,
    },
    deployment: { apiUrl: "http://localhost:7400/api/v1", source: "default", valid: true },
    project: { selector: "proj_1", source: "link", description: "link (Alpha)" },
    link: {
      path: join(world.cwd, ".fettle", "project.json"),
      valid: true,
      project: { id: "proj_1", name: "Alpha" },
      apiUrl: "https://app.example/api/v1",
      apiUrlMatchesDeployment: false,
    },
    warnings: [
      "FETTLE_API_KEY is used instead of the stored login.",
      "The project link belongs to another deployment: https://app.example/api/v1.",
    ],
  });
  expect(exitCode).toBe(0);
  expect(stdout).not.toMatch(/secretsecret|canary/);
});

test.each([
  ["--api-key", ["--api-key", "nope"], {}],
  ["--api-url", ["--api-url", "nope"], {}],
  ["FETTLE_API_KEY", [], { FETTLE_API_KEY: "nope" }],
  ["FETTLE_API_URL", [], { FETTLE_API_URL: "nope" }],
  ["FETTLE_PROJECT", [], { FETTLE_PROJECT: " " }],
])("an invalid %s still gives the whole report, and exit 1", async (name, argv, env) => {
  const world = await testWorld({ env });
  const { stdout, stderr, exitCode } = await world.fettle("cloud", ...argv, "status");
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ ok: false, error: expect.stringContaining(name) });
  expect(Object.keys(report)).toEqual([
    "ok",
    "error",
    "credential",
    "deployment",
    "project",
    "link",
    "warnings",
  ]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
});

test("a link that cannot be used is a failure that names the file", async () => {
  const world = await testWorld();
  await linked(world.cwd, { version: 1 });
  const { stdout, exitCode } = await world.fettle("cloud", "status");
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    project: { source: "unresolved" },
    link: { valid: false },
  });
  expect(exitCode).toBe(1);
});

test("the link is looked for up to the root of the Git worktree, and no further", async () => {
  const world = await testWorld();
  const repository = join(world.cwd, "repository");
  const inner = join(repository, "a", "b");
  await mkdir(inner, { recursive: true });
  const sourceFrom = async (cwd: string) => {
    const { stdout } = await (await testWorld({ cwd, home: world.home })).fettle("cloud", "status");
    return JSON.parse(stdout).project.source;
  };
  await linked(world.cwd, link);
  await writeFile(join(repository, ".git"), "gitdir: elsewhere");
  expect(await sourceFrom(inner)).toBe("automatic");
  await linked(repository, link);
  expect(await sourceFrom(inner)).toBe("link");
});

test("for people it is a short list with marks", async () => {
  const world = await testWorld({ terminal: 80, env: { NO_COLOR: "1" } });
  await signedIn(world.home);
  await linked(world.cwd, { ...link, apiUrl: "https://other.example/api/v1" });
  expect((await world.fettle("cloud", "status", "--api-key", "x")).stdout).toMatchInlineSnapshot(`
    "Credential  ✗ API key ... (--api-key)
    Deployment  ✓ http://localhost:7400/api/v1 (default)
    Project     ✓ Alpha (proj_1, linked)
    Link        ✓ .fettle/project.json

    ✗ --api-key is not an API key: keys begin with "sk_".

    ! The project link belongs to another deployment: https://other.example/api/v1.
    "
  `);
  expect((await world.fettle("cloud", "status")).stdout).toMatchInlineSnapshot(`
    "Credential  ✓ login of ada@example.com
    Deployment  ✓ https://app.example/api/v1 (stored with the login)
    Project     ✓ Alpha (proj_1, linked)
    Link        ✓ .fettle/project.json

    ! The project link belongs to another deployment: https://other.example/api/v1.
    "
  `);
});

test("what a link file says cannot act on the terminal", async () => {
  const world = await testWorld({ terminal: 80, env: { NO_COLOR: "1" } });
  await linked(world.cwd, { ...link, project: { id: "proj_1", name: "\u001b]0;owned\u0007\u202egnp" } });
  const { stdout } = await world.fettle("cloud", "status");
  expect(stdout).toContain("␛]0;owned␇<U+202E>gnp (proj_1, linked)");
});
