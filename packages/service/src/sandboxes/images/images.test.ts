import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { failureOf } from "../../http/errors.ts";
import { goodBlueprint } from "../../testing/sandbox-images/inputs.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { silentLog } from "../../testing/silent-log.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { openEngine } from "../engine/engine.ts";
import { createSandboxes, requireEngine, throughEngine } from "../engine/sandboxes.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const call = (person: PersonName, method: string, path: string, body?: object) =>
  service.call(`/api/v1/projects/${world.projectId}/images${path}`, {
    method,
    key: world.people[person].key,
    ...(body && { body }),
  });
const create = async (name: string, person: PersonName = "member") =>
  (await call(person, "POST", "", { name, blueprint: goodBlueprint })).body;
const namesFor = async (person: PersonName) =>
  (await call(person, "GET", "")).body.items.map(({ name }: { name: string }) => name);

it("an engine that does not answer is an outage that names no path of the machine; the operator's log does", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "fettle-silent-")), "engine.sock");
  const silent = createServer((socket) => socket.destroy()).listen(path);
  await once(silent, "listening");
  const { db } = service.app;
  const warn = vi.fn();
  const log = { ...silentLog, warn };
  const config = { ...service.app.config.sandbox, sockets: [path] };
  const sandboxes = createSandboxes({ config, db, log });
  const failure = await requireEngine({ sandboxes }).catch((error) => error);
  expect(failure.toBody()).toMatchObject({ code: "UNAVAILABLE", details: { code: "SANDBOX_ENGINE" } });
  expect(failure.message).toMatch(/^The container engine does not answer/);
  expect(JSON.stringify(warn.mock.calls)).toContain(path);

  silent.close();
  await once(silent, "close");
  const gone = await openEngine(path, "test").catch((error) => error);
  expect(gone.message).toBe("The container engine does not answer (ENOENT).");
  expect(gone.cause.message).toContain(path);
  const told = await throughEngine(() => Promise.reject(gone)).catch((error) => error);
  expect(JSON.stringify(told.toBody())).not.toContain(path);
  expect(failureOf(told, "req_1")).toMatchObject({ status: 503, isOurs: true });
  rmSync(dirname(path), { recursive: true });
});

describe("an image", () => {
  it("is its author's draft until an admin's own draft is shared, which is not taken back", async () => {
    const made = await call("member", "POST", "", { name: "desk", blueprint: goodBlueprint });
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: "desk", blueprint: goodBlueprint, sharing: "user", isOwner: true, currentBuild: null },
    ]);
    expect(await namesFor("member")).toContain("desk");
    expect(await namesFor("admin")).not.toContain("desk");
    const path = `/${made.body.id}`;
    for (const method of ["GET", "DELETE"]) expect((await call("admin", method, path)).status).toBe(404);
    expect((await call("admin", "POST", `${path}/promote`)).status).toBe(404);
    // No admin could share it for them: they do not see it.
    const { status, body: refusal } = await call("member", "POST", `${path}/promote`);
    expect([status, refusal.details]).toEqual([
      403,
      {
        reason: "role_too_low",
        requiredRole: "admin",
        hint: expect.stringMatching(/^Nobody else sees your draft: .* give them the blueprint/),
      },
    ]);

    const { id } = await create("shelf", "admin");
    const shared = await call("admin", "POST", `/${id}/promote`);
    expect([shared.status, shared.body]).toMatchObject([200, { sharing: "project" }]);
    expect((await call("admin", "POST", `/${id}/promote`)).status).toBe(200);
    expect((await call("member", "GET", `/${id}`)).body).toMatchObject({ name: "shelf", isOwner: false });
    expect((await call("member", "PATCH", `/${id}`, { name: "mine" })).status).toBe(403);
    expect((await call("member", "DELETE", `/${id}`)).status).toBe(403);
    expect((await call("owner", "DELETE", `/${id}`)).body).toMatchObject({ id, deleted: true });
    expect((await call("member", "GET", `/${id}`)).status).toBe(404);
  });

  it("is another to build only when its base or its steps are others", async () => {
    const { id, contentHash } = await create("changing");
    const change = async (blueprint: string) => (await call("member", "PATCH", `/${id}`, { blueprint })).body;
    const told = `${goodBlueprint}knowledge:\n  - name: where\n    contents: Books are in /srv/books.\n`;
    expect(await change(told)).toMatchObject({ blueprint: told, contentHash });
    expect((await change(goodBlueprint.replace("jq", "curl"))).contentHash).not.toBe(contentHash);
  });

  it("is not changed by somebody who has read another state of it", async () => {
    const { id, updatedAt } = await create("contested");
    const rename = (name: string) =>
      call("member", "PATCH", `/${id}`, { name, expectedUpdatedAt: updatedAt });
    expect((await rename("first")).status).toBe(200);
    const late = await rename("second");
    expect([late.status, late.body.details.code]).toEqual([409, "IMAGE_CHANGED"]);
    expect((await call("member", "GET", `/${id}`)).body.name).toBe("first");
    expect((await call("member", "PATCH", `/${id}`, { expectedUpdatedAt: updatedAt })).status).toBe(400);
  });

  it("has a name that no other of the same people has", async () => {
    await create("twin");
    const again = await call("member", "POST", "", { name: "twin", blueprint: goodBlueprint });
    expect([again.status, again.body.details]).toMatchObject([409, { code: "NAME_TAKEN", name: "twin" }]);
    expect((await create("twin", "admin")).name).toBe("twin");
  });

  it("with a blueprint that is none is refused whole, and nothing is written", async () => {
    const refused = await call("member", "POST", "", { name: "odd", blueprint: "base: debian\n" });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { details: { code: "INVALID_BLUEPRINT", path: "body.blueprint", errors: [{ path: "base" }] } },
    ]);
    expect(await namesFor("member")).not.toContain("odd");
    const { id } = await create("kept");
    expect((await call("member", "PATCH", `/${id}`, { name: "lost", blueprint: "[]" })).status).toBe(400);
    expect((await call("member", "GET", `/${id}`)).body).toMatchObject({ name: "kept" });
  });

  it("cannot be pinned before it is built", async () => {
    const { id } = await create("early", "admin");
    await call("admin", "POST", `/${id}/promote`);
    const made = await service.call(`/api/v1/projects/${world.projectId}/clients`, {
      method: "POST",
      key: world.people.admin.key,
      body: { name: "Reader", config: { modelId: "fettle/rules-1" } },
    });
    const pinned = await service.call(`/api/v1/projects/${world.projectId}/environments`, {
      method: "POST",
      key: world.people.admin.key,
      body: { name: "On it", hostId: made.body.id, sandboxImageId: id },
    });
    expect(pinned.body.details).toMatchObject({ code: "SANDBOX_IMAGE_NOT_FOUND" });
  });
});

const pinned = `@sha256:${"0".repeat(64)}`;
const tooMany = Array.from(
  { length: sandboxLimits.entries + 1 },
  (_, index) => `  - {name: n${index}, run: x}`,
);

describe("a blueprint", () => {
  it.each([
    "debian",
    "debian:13-slim",
    "library/node:24",
    "docker.io/library/python:3.14",
    "docker.io/ubuntu",
  ])("of %s is good, and says which digest is pinned", async (base) => {
    const { status, body } = await call("member", "POST", "/validate", {
      blueprint: `base: ${base}${pinned}`,
    });
    expect([status, body]).toEqual([200, { ok: true, baseImageDigest: pinned.slice(1) }]);
  });

  it.each([
    ["nothing", "", "", /empty/],
    ["a comment", "# later\n", "", /empty/],
    ["no YAML", "base: [\n", "base", /^Line \d+: /],
    [
      "no YAML in a step",
      `base: debian${pinned}\ninitialize:\n  - name: "a\n`,
      "initialize[0].name",
      /^Line 4: /,
    ],
    ["no YAML before any key", "]\n", "", /^Line 1: /],
    ["a list", "- base\n", "", /mapping/],
    ["two documents", `base: debian${pinned}\n---\nbase: debian${pinned}\n`, "", /several/],
    ["aliases", `base: &a debian${pinned}\nknowledge: [*a]\n`, "knowledge[0]", /alias/],
    ["a key twice", `base: debian${pinned}\nbase: debian${pinned}\n`, "base", /^Line 2: .*unique/i],
    [
      "a key of a step twice",
      `base: debian${pinned}\ninitialize:\n  - name: a\n    run: x\n    run: y\n`,
      "initialize[0].run",
      /^Line 5: .*unique/i,
    ],
    ["a deep nest", "[".repeat(20_000), "", /deep|Line/],
    ["no base", "initialize: []\n", "base", /missing/],
    ["a base that is a number", "base: 13\n", "base", /text/],
    ["a base without a digest", "base: debian:13\n", "base", /not pinned/],
    ["a digest cut short", "base: debian@sha256:abc\n", "base", /64/],
    ["a digest in capitals", `base: debian@sha256:${"AB".repeat(32)}\n`, "base", /lower case/],
    ["a base that nobody keeps up", `base: evil/debian${pinned}\n`, "base", /none of these/],
    ["a base of another registry", `base: ghcr.io/debian${pinned}\n`, "base", /none of these/],
    ["a base that only ends well", `base: "x debian${pinned}"\n`, "base", /none of these/],
    ["an unknown key", `base: debian${pinned}\nports: [80]\n`, "ports", /knows/],
    ["steps that are a text", `base: debian${pinned}\ninitialize: apt-get\n`, "initialize", /list/],
    ["a step that is a text", `base: debian${pinned}\ninitialize: [apt-get]\n`, "initialize[0]", /mapping/],
    [
      "a step without a command",
      `base: debian${pinned}\ninitialize: [{name: a}]\n`,
      "initialize[0].run",
      /missing/,
    ],
    [
      "an empty command",
      `base: debian${pinned}\ninitialize: [{name: a, run: " "}]\n`,
      "initialize[0].run",
      /empty/,
    ],
    [
      "a step without a name",
      `base: debian${pinned}\ninitialize: [{run: a}]\n`,
      "initialize[0].name",
      /missing/,
    ],
    [
      "a name of two lines",
      `base: debian${pinned}\ninitialize: [{name: "a\\nb", run: c}]\n`,
      "initialize[0].name",
      /one line/,
    ],
    [
      "a name twice",
      `base: debian${pinned}\nmaintenance: [{name: a, run: b}, {name: a, run: c}]\n`,
      "maintenance[1].name",
      /already/,
    ],
    [
      "an unknown key in a step",
      `base: debian${pinned}\ninitialize: [{name: a, run: b, user: root}]\n`,
      "initialize[0].user",
      /knows/,
    ],
    [
      "a control character",
      `base: debian${pinned}\nknowledge: [{name: a, contents: "\\e[2J"}]\n`,
      "knowledge[0].contents",
      /control/,
    ],
    [
      "knowledge without contents",
      `base: debian${pinned}\nknowledge: [{name: a, run: b}]\n`,
      "knowledge[0].contents",
      /missing/,
    ],
    [
      "too many steps",
      `base: debian${pinned}\ninitialize:\n${tooMany.join("\n")}\n`,
      "initialize",
      /more than/,
    ],
    [
      "a command without end",
      `base: debian${pinned}\ninitialize: [{name: a, run: ${"x".repeat(sandboxLimits.runLength + 1)}}]\n`,
      "initialize[0].run",
      /more than/,
    ],
  ])("that is or has %s is told so, with its place", async (_, blueprint, path, message) => {
    const { status, body } = await call("member", "POST", "/validate", { blueprint });
    expect([status, body.ok]).toEqual([200, false]);
    expect(body.errors).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it("is told everything that is wrong at once", async () => {
    const { body } = await call("member", "POST", "/validate", {
      blueprint: "base: fedora\ninitialize: [{name: a}]\nports: 80\n",
    });
    const paths = body.errors.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(["base", "initialize[0].run", "ports"]);
  });

  it("that is too long is refused as any text that is", async () => {
    const blueprint = `# ${"é".repeat(sandboxLimits.blueprintBytes / 2)}\nbase: debian${pinned}`;
    const { body } = await call("member", "POST", "/validate", { blueprint });
    expect(body.errors).toEqual([{ path: "", message: expect.stringContaining("bytes") }]);
  });
});
