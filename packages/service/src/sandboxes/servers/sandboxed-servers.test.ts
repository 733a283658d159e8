import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addNodePackage } from "../../testing/sandbox-images/node-programs.ts";
import {
  noEngine,
  startPodman,
  type TestEngine,
  type TestLayout,
  withEngine,
  writeLayout,
} from "../../testing/sandbox-images/podman.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { labelsFor } from "../engine/engine.ts";
import { removeLostServers } from "./server-sandboxes.ts";

const patience = { timeout: 120_000, interval: 200 };
const everything = "@modelcontextprotocol/server-everything";
const secret = "canary-9c1f4e7a2b";

describe.skipIf(noEngine)(`a saved stdio server, ${withEngine}`, () => {
  let podman: TestEngine;
  let layout: TestLayout;
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    podman = await startPodman();
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")), (root) =>
      addNodePackage(root, everything),
    );
    service = await testService({
      env: {
        FETTLE_LIMIT_KEY_BURST: "10000",
        FETTLE_SANDBOX_ENGINE: podman.socketPath,
        FETTLE_SANDBOX_LAYOUT: layout.folder,
        FETTLE_SANDBOX_MEMORY: "512",
      },
    });
    await service.app.work();
    world = await makeWorld(service.app.db);
  });
  afterAll(async () => {
    await service?.close();
    await podman?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });

  const call = (person: PersonName, method: string, path: string, body?: object) =>
    service.call(`/api/v1/projects/${world.projectId}${path}`, {
      method,
      key: world.people[person].key,
      ...(body && { body }),
    });
  const build = async (id: string) => {
    await call("admin", "POST", `/images/${id}/build`);
    await vi.waitFor(async () => {
      const { items } = (await call("admin", "GET", `/images/${id}/builds`)).body;
      expect([items[0].status, items[0].error]).toEqual(["ready", undefined]);
    }, patience);
  };
  const shared = async (name: string) => {
    const blueprint = `base: debian:13@${layout.digest}\ninitialize:\n  - name: note\n    run: echo ${name} > /app/note\n`;
    const { id } = (await call("admin", "POST", "/images", { name, blueprint })).body;
    await build(id);
    expect((await call("admin", "POST", `/images/${id}/promote`)).status).toBe(200);
    return id as string;
  };
  const save = async (rest: object) => {
    const body = { transportType: "stdio", enabled: true, ...rest };
    const made = await call("member", "POST", "/servers", body);
    expect(made.status).toBe(201);
    return `/servers/${made.body.id}`;
  };
  const running = async () => (await (await service.app.sandboxes.engine())!.containers.list({})).length;

  it("runs in the project's image, for every member, and keeps its secrets to itself", async () => {
    const args = [`/app/node_modules/${everything}/dist/index.js`, "stdio"];
    const server = await save({ name: "everything", command: "node", args, env: { SECRET: secret } });
    const refused = await call("member", "POST", `${server}/tools`);
    expect([refused.status, refused.body.details.reason]).toEqual([422, "STDIO_NEEDS_TUNNEL"]);

    const first = await shared("with everything");
    const { body } = await call("member", "POST", `${server}/tools`);
    expect(body.items.map(({ name }: { name: string }) => name)).toContain("echo");
    const echoed = await call("admin", "POST", `${server}/tools/call`, {
      toolName: "echo",
      parameters: { message: "hello" },
    });
    expect(JSON.stringify(echoed.body)).toContain("Echo: hello");
    expect(await running()).toBe(1);
    // Its own tool tells the environment: whoever asks a tool gets its answer, and nobody gets it elsewhere.
    const told = await call("member", "POST", `${server}/tools?rpc=true`);
    expect(JSON.stringify(told.body)).not.toContain(secret);
    expect(JSON.stringify((await call("member", "GET", server)).body)).not.toContain(secret);

    const second = await shared("another");
    // It was the only one when the server first ran, and stays the server's.
    expect((await call("member", "GET", server)).body.sandboxImageId).toBe(first);
    expect((await call("member", "POST", `${server}/tools`)).status).toBe(200);
    const other = await save({ name: "undecided", command: "node", args });
    const undecided = await call("member", "POST", `${other}/tools`);
    expect([undecided.status, undecided.body.details.reason]).toEqual([422, "IMAGE_NOT_CHOSEN"]);
    expect(undecided.body.details.choices).toHaveLength(2);
    await call("member", "PATCH", other, { sandboxImageId: second });
    expect((await call("member", "GET", other)).body.sandboxImageId).toBe(second);
    expect((await call("member", "POST", `${other}/tools`)).status).toBe(200);
    await call("member", "PATCH", other, { sandboxImageId: first });
    expect((await call("member", "POST", `${other}/tools`)).status).toBe(200);
    expect((await call("member", "PATCH", other, { sandboxImageId: world.projectId })).status).toBe(400);

    const tables = await service.app.db.execute(
      sql`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { table_name: table } of tables.rows) {
      const rows = await service.app.db.execute(sql`SELECT * FROM ${sql.identifier(String(table))}`);
      expect(JSON.stringify(rows.rows), String(table)).not.toContain(secret);
    }
  });

  it("is judged like any other", async () => {
    const { items } = (await call("member", "GET", "/servers")).body;
    const { id } = items.find(({ name }: { name: string }) => name === "undecided");
    const started = await call("member", "POST", `/servers/${id}/conformance-runs`, { suites: ["protocol"] });
    expect([started.status, started.body]).toEqual([202, expect.anything()]);
    const run = await vi.waitFor(async () => {
      const { body } = await call("member", "GET", `/conformance-runs/${started.body.runId}`);
      expect(["completed", "failed"]).toContain(body.status);
      return body;
    }, patience);
    const { body: report } = await call("member", "GET", `/conformance-runs/${run.id}/report`);
    expect([run.status, run.failed], JSON.stringify(report)).toEqual(["completed", 0]);
    expect(run.passed).toBeGreaterThan(20);
  });

  it("runs in what was built anew from the next call on", async () => {
    const { items } = (await call("member", "GET", "/servers")).body;
    const { id, sandboxImageId } = items.find(({ name }: { name: string }) => name === "undecided");
    const containers = async () =>
      (await (await service.app.sandboxes.engine())!.containers.list(labelsFor("server", id))).map(
        (one) => one.id,
      );
    const before = await containers();
    expect(before).toHaveLength(1);
    const { blueprint } = (await call("admin", "GET", `/images/${sandboxImageId}`)).body;
    await call("admin", "PATCH", `/images/${sandboxImageId}`, {
      blueprint: blueprint.replace("note", "word"),
    });
    await build(sandboxImageId);
    expect((await call("member", "POST", `/servers/${id}/tools`)).status).toBe(200);
    await vi.waitFor(async () => {
      const after = await containers();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
    }, patience);
  });

  it("is removed when it is deleted, or its process was killed, and not before", async () => {
    const engine = (await service.app.sandboxes.engine())!;
    const there = await running();
    expect(there).toBeGreaterThan(1);
    await removeLostServers(service.app, engine);
    expect(await running()).toBe(there);
    const { items } = (await call("member", "GET", "/servers")).body;
    const { id } = items.find(({ name }: { name: string }) => name === "undecided");
    await call("member", "DELETE", `/servers/${id}`);
    await removeLostServers(service.app, engine);
    expect(await engine.containers.list(labelsFor("server", id))).toEqual([]);
    expect(await running()).toBeGreaterThan(0);
    await removeLostServers({ ...service.app, now: () => Date.now() + 10 * 60_000 }, engine);
    expect(await running()).toBe(0);
  });
});
