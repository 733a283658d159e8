import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiKey, organization, projects, testDeployment } from "../../testing/deployment.ts";
import { testWorld } from "../../testing/world.ts";

async function withKey(env: Record<string, string> = {}, options: Parameters<typeof testWorld>[0] = {}) {
  const deployment = await testDeployment();
  const world = await testWorld({
    ...options,
    env: { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl, NO_COLOR: "1", ...env },
  });
  return { deployment, ...world };
}

const hosted = [["whoami"], ["organizations", "list"], ["projects", "list"], ["link"]];

describe.each(hosted)("cloud %s %s", (...words) => {
  const argv = ["cloud", ...words.filter(Boolean)];

  test("without a credential fails before any request, with a way to sign in", async () => {
    const { deployment, fettle } = await withKey({ FETTLE_API_KEY: "" });
    const { stdout, stderr, exitCode } = await fettle(...argv);
    expect(JSON.parse(stderr).error).toEqual({
      code: "OPERATIONAL_ERROR",
      message: "You are not signed in.",
      hint: expect.stringContaining("--api-key"),
      nextCommand: "fettle cloud login",
    });
    expect({ stdout, exitCode, seen: deployment.seen }).toEqual({ stdout: "", exitCode: 1, seen: [] });
  });

  test("with a login that cannot be read says which file it is", async () => {
    const { fettle, home } = await withKey({ FETTLE_API_KEY: "" });
    await mkdir(join(home, ".fettle"));
    await writeFile(join(home, ".fettle", "auth.json"), "{broken");
    const { message } = JSON.parse((await fettle(...argv)).stderr).error;
    expect(message).toMatch(/^You are not signed in: .*auth\.json is there, but is not JSON\.$/);
    const status = JSON.parse((await fettle("cloud", "status", "--format", "json")).stdout);
    expect(status.warnings).toEqual([expect.stringContaining("is not JSON")]);
  });

  test.each([
    ["--api-url", ["--api-url", "nope"], {}],
    ["FETTLE_API_URL", [], { FETTLE_API_URL: "notaurl" }],
    ["--api-key", ["--api-key", "nope"], {}],
    ["FETTLE_API_KEY", [], { FETTLE_API_KEY: "nope" }],
  ])("with an invalid %s exits 2 before any request", async (name, extra, env) => {
    const { deployment, fettle } = await withKey(env);
    const { stderr, exitCode } = await fettle(...argv, ...extra);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "USAGE_ERROR",
      message: expect.stringContaining(name),
    });
    expect({ exitCode, seen: deployment.seen }).toEqual({ exitCode: 2, seen: [] });
  });

  test("with a key that is refused says so, and how to sign in", async () => {
    const { fettle } = await withKey({ FETTLE_API_KEY: "sk_wrong" });
    const { stderr, exitCode } = await fettle(...argv, "--quiet");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr).error).toEqual({
      code: "UNAUTHORIZED",
      message: "The credential is unknown.",
      hint: expect.stringMatching(/^Sign in with `fettle cloud login`/),
      nextCommand: "fettle cloud login",
    });
  });
});

test("whoami tells the account and the kind of credential, with no audience line", async () => {
  const { fettle } = await withKey();
  const { stdout, stderr } = await fettle("cloud", "whoami");
  expect(JSON.parse(stdout)).toEqual({
    id: "user_1",
    email: "ada@example.com",
    name: "Ada",
    plan: "team",
    credential: "api-key",
  });
  expect(stderr).toBe("");
});

describe("lists", () => {
  test("in json are what the service answered, exactly", async () => {
    const { fettle, deployment } = await withKey();
    const list = await fettle("cloud", "orgs", "list");
    expect(list.stdout).toBe(`${JSON.stringify({ items: [organization] })}\n`);
    expect(list.stderr).toBe(`sk_...mnop · account · ${deployment.apiUrl}\n`);
    expect((await fettle("cloud", "projects", "list")).stdout).toBe(
      `${JSON.stringify({ items: projects })}\n`,
    );
  });

  test("for people are tables with a count and the next command", async () => {
    const { fettle, deployment } = await withKey({}, { terminal: 80 });
    const { stdout, stderr } = await fettle("cloud", "projects", "list");
    expect(stdout).toMatchInlineSnapshot(`
      "ID      NAME   UPDATED
      proj_1  Alpha  2023-11-14T22:13:20.000Z
      proj_2  Beta   2023-11-14T22:23:20.000Z

      2 projects
      "
    `);
    expect(stderr.replace(deployment.apiUrl, "<api>")).toMatchInlineSnapshot(`
      "sk_...mnop · all projects · <api>

      Next: fettle cloud link proj_1
      "
    `);
    expect((await fettle("cloud", "organizations", "list", "--quiet")).stdout).toMatchInlineSnapshot(`
      "ID     NAME                PLAN  ROLE
      org_1  Analytical Engines  team  owner

      1 organization
      "
    `);
  });

  test("can be narrowed to one organization", async () => {
    const { fettle, deployment } = await withKey();
    const { stdout, stderr } = await fettle("cloud", "projects", "list", "--org", "org_2");
    expect(JSON.parse(stdout)).toEqual({ items: [] });
    expect(stderr).toBe(`sk_...mnop · organization org_2 · ${deployment.apiUrl}\n`);
    expect((await fettle("cloud", "projects", "list", "--org", " ")).exitCode).toBe(2);
  });

  test("hold no escape that a project's name could bring", async () => {
    const { fettle, deployment } = await withKey({}, { terminal: 80 });
    const hostile = { ...projects[0], name: "\u001b[2J\u202eevil\u200b" };
    deployment.answers.set("GET /api/v1/projects", (response) =>
      response.writeHead(200).end(JSON.stringify({ items: [hostile] })),
    );
    expect((await fettle("cloud", "projects", "list")).stdout).toContain("␛[2J<U+202E>evil<U+200B>");
    const exact = await fettle("cloud", "projects", "list", "--format", "json");
    expect(JSON.parse(exact.stdout).items[0].name).toBe(hostile.name);
  });
});

describe("link", () => {
  test("pins the worktree's root to a project by id or name, or else to the newest", async () => {
    const { fettle, cwd, home, deployment } = await withKey();
    await mkdir(join(cwd, ".git"));
    await mkdir(join(cwd, "inner"));
    const env = { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl };
    const inner = await testWorld({ cwd: join(cwd, "inner"), home, env });
    const path = join(cwd, ".fettle", "project.json");

    const { stdout, stderr } = await inner.fettle("cloud", "link", "alpha");
    const linked = {
      status: "linked",
      path,
      project: { id: "proj_1", name: "Alpha" },
      apiUrl: deployment.apiUrl,
    };
    expect(JSON.parse(stdout)).toEqual(linked);
    expect(stderr).toBe("");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
      version: 1,
      project: { id: "proj_1", name: "Alpha" },
      organizationId: "org_1",
      apiUrl: deployment.apiUrl,
    });
    expect(JSON.parse((await inner.fettle("cloud", "status")).stdout).project).toEqual({
      selector: "proj_1",
      source: "link",
      description: "link (Alpha)",
    });
    // The link there is has no say in the next one.
    expect(JSON.parse((await fettle("cloud", "link")).stdout).project.id).toBe("proj_2");
  });

  test("with --here stays in this folder", async () => {
    const { cwd, home, deployment } = await withKey();
    await mkdir(join(cwd, ".git"));
    await mkdir(join(cwd, "inner"));
    const env = { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl, FETTLE_PROJECT: "Alpha" };
    const inner = await testWorld({ cwd: join(cwd, "inner"), home, env });
    const path = join(cwd, "inner", ".fettle", "project.json");
    expect(JSON.parse((await inner.fettle("cloud", "link", "--here")).stdout)).toMatchObject({
      path,
      project: { name: "Alpha" },
    });
    expect(JSON.parse((await inner.fettle("cloud", "link", "--remove")).stdout)).toEqual({
      status: "removed",
      path,
    });
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  test("can be removed even when it is broken, and without a credential", async () => {
    const world = await testWorld();
    await mkdir(join(world.cwd, ".fettle"));
    await writeFile(join(world.cwd, ".fettle", "project.json"), "{");
    expect((await world.fettle("cloud", "link", "--remove")).exitCode).toBe(0);
    expect((await world.fettle("cloud", "link", "--remove")).exitCode).toBe(2);
  });

  test.each([
    ["an unknown project", ["gamma"], 1, "NOT_FOUND"],
    ["a blank one", [" "], 2, "USAGE_ERROR"],
    ["a project to remove", ["Alpha", "--remove"], 2, "USAGE_ERROR"],
  ])("refuses %s", async (_, argv, exitCode, code) => {
    const { fettle } = await withKey();
    const done = await fettle("cloud", "link", ...argv);
    expect(done.exitCode).toBe(exitCode);
    expect(JSON.parse(done.stderr).error.code).toBe(code);
  });
});

test("a service that is not there, or does not answer, is named as such", async () => {
  const { fettle, deployment } = await withKey();
  const away = await fettle("cloud", "whoami", "--api-url", "http://127.0.0.1:9");
  expect(JSON.parse(away.stderr).error).toMatchObject({ code: "SERVER_UNREACHABLE" });
  deployment.answers.set("GET /api/v1/me", () => {});
  const slow = await fettle("cloud", "whoami", "--timeout", "50");
  expect(JSON.parse(slow.stderr).error).toMatchObject({ code: "TIMEOUT" });
  expect([away.exitCode, slow.exitCode]).toEqual([1, 1]);
});
