import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { startProcess } from "../../testing/process.ts";
import {
  noEngine,
  startPodman,
  type TestEngine,
  type TestLayout,
  withEngine,
  writeLayout,
} from "../../testing/sandbox-images/podman.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { sweepSandboxes } from "../computers/sweep.ts";

const patience = { timeout: 120_000, interval: 100 };

interface Built {
  id: string;
  status: string;
  logPreview: string;
  error?: string;
}

interface Bench {
  service: TestService;
  world: World;
  call(person: PersonName, method: string, path: string, body?: object): ReturnType<TestService["call"]>;
  /** An image with these steps, built to its end. */
  build(name: string, steps: string[]): Promise<{ id: string; build: Built }>;
  create(name: string, steps: string[], rest?: string): Promise<string>;
  settled(id: string): Promise<Built>;
}

async function openBench(
  podman: TestEngine | undefined,
  layout: TestLayout,
  env: Record<string, string> = {},
  database?: TestDatabase,
): Promise<Bench> {
  const service = await testService({
    ...(database && { database }),
    env: {
      FETTLE_LIMIT_KEY_BURST: "10000",
      FETTLE_SANDBOX_ENGINE: podman?.socketPath ?? "off",
      FETTLE_SANDBOX_LAYOUT: layout.folder,
      FETTLE_SANDBOX_MEMORY: "64",
      FETTLE_SANDBOX_PROCESSES: "32",
      FETTLE_SANDBOX_DISK: "32",
      ...env,
    },
  });
  const world = await makeWorld(service.app.db);
  const call: Bench["call"] = (person, method, path, body) =>
    service.call(`/api/v1/projects/${world.projectId}${path}`, {
      method,
      key: world.people[person].key,
      ...(body && { body }),
    });
  const blueprint = (steps: string[], rest = "") =>
    `base: debian:13@${layout.digest}\ninitialize:\n${steps.map((run, index) => `  - name: step ${index + 1}\n    run: ${JSON.stringify(run)}\n`).join("")}${rest}`;
  const create: Bench["create"] = async (name, steps, rest) =>
    (await call("member", "POST", "/images", { name, blueprint: blueprint(steps, rest) })).body.id;
  const settled: Bench["settled"] = (id) =>
    vi.waitFor(async () => {
      const { body } = await call("member", "GET", `/images/${id}/builds`);
      expect(["ready", "failed"]).toContain(body.items[0].status);
      return body.items[0];
    }, patience);
  return {
    service,
    world,
    call,
    create,
    settled,
    build: async (name, steps) => {
      const id = await create(name, steps);
      expect((await call("member", "POST", `/images/${id}/build`)).status).toBe(202);
      return { id, build: await settled(id) };
    },
  };
}

describe.skipIf(noEngine)(`builds, ${withEngine}`, () => {
  let podman: TestEngine;
  let layout: TestLayout;
  let bench: Bench;
  beforeAll(async () => {
    podman = await startPodman();
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")));
    bench = await openBench(podman, layout);
    await bench.service.app.work();
  });
  afterAll(async () => {
    await bench?.service.close();
    await podman?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });
  const containers = () => podman.podman("ps", "--all", "--quiet").trim();

  it("run the steps in their order, show the log plain, and are not repeated for the same recipe", async () => {
    const { id, build } = await bench.build("desk", [
      "printf '\\033[31mred\\033[0m\\n'; mkdir /srv",
      "printf '10%%\\r100%%\\n'; echo kept > /srv/file; echo aside >&2",
    ]);
    expect(build).toMatchObject({ status: "ready", provider: "sandbox", baseImageDigests: [layout.digest] });
    expect(build.logPreview).toBe(
      `base debian:13@${layout.digest}\nstep step 1\nred\nstep step 2\n100%\naside\nready\n`,
    );
    expect(containers()).toBe("");
    const { body: image } = await bench.call("member", "GET", `/images/${id}`);
    expect(image.currentBuild).toMatchObject({ id: build.id, status: "ready" });
    const again = await bench.call("member", "POST", `/images/${id}/build`);
    expect([again.status, again.body]).toEqual([202, { id, buildId: build.id, reused: true }]);
    const twin = await bench.create("twin", [
      "printf '\\033[31mred\\033[0m\\n'; mkdir /srv",
      "printf '10%%\\r100%%\\n'; echo kept > /srv/file; echo aside >&2",
    ]);
    const shared = await bench.call("member", "POST", `/images/${twin}/build`);
    expect(shared.body).toMatchObject({ id: twin, reused: true });
    expect(shared.body.buildId).not.toBe(build.id);
    expect((await bench.call("member", "POST", `/images/${id}/build`, { force: true })).status).toBe(400);
  });

  it.each<[string, string[], string | RegExp]>([
    [
      "a step that fails",
      ["echo first", "echo why >&2; exit 4", "echo never"],
      "The step step 2 ended with code 4.",
    ],
    ["memory", ["head -c 300m /dev/zero | tail"], "code 137"],
    ["processes", ["for i in $(seq 100); do sleep 60 & done"], "The step step 1 ended with code 2."],
    [
      "disk",
      ["for i in 1 2 3 4 5 6; do head -c 10m /dev/zero > /root/$i; done; sleep 600"],
      "more than 32 MiB",
    ],
    // Whichever is noticed first: the kernel's end of the step, or what was written altogether.
    [
      "disk, in one file",
      ["head -c 100m /dev/zero > /root/large"],
      /step 1 ended with code|more than 32 MiB/,
    ],
    [
      "disk, where the engine does not count",
      ["for i in 1 2 3 4 5; do head -c 10m /dev/zero >> /etc/hosts; done; sleep 600"],
      /step 1 ended with code|more than 32 MiB/,
    ],
    [
      "the network",
      ["test $(ls /sys/class/net) = lo; nc -w 5 1.1.1.1 80 < /dev/null || exit 9"],
      "The step step 1 ended with code 9.",
    ],
  ])("hold to the limits: %s", async (name, steps, error) => {
    const { build } = await bench.build(name, steps);
    expect(build).toMatchObject({ status: "failed" });
    expect(build.error).toMatch(error);
    expect(containers()).toBe("");
  });

  it("hold to the time", async () => {
    await using stack = new AsyncDisposableStack();
    const short = await openBench(podman, layout, { FETTLE_SANDBOX_BUILD_SECONDS: "3" });
    stack.defer(() => short.service.close());
    await short.service.app.work();
    const { build } = await short.build("slow", ["sleep 3600"]);
    expect(build).toMatchObject({ status: "failed", error: "It took longer than 3 seconds." });
    expect(containers()).toBe("");
  });

  it("are cancelled when the image goes, or is changed and built anew", async () => {
    const id = await bench.create("long", ["echo begun; sleep 3600"]);
    await bench.call("member", "POST", `/images/${id}/build`);
    await vi.waitFor(() => expect(containers()).not.toBe(""), patience);
    const blueprint = `base: debian@${layout.digest}\n`;
    await bench.call("member", "PATCH", `/images/${id}`, { blueprint });
    await bench.call("member", "POST", `/images/${id}/build`);
    expect(await bench.settled(id)).toMatchObject({ status: "ready" });
    const { body } = await bench.call("member", "GET", `/images/${id}/builds`);
    expect(body.items[1]).toMatchObject({
      status: "failed",
      error: "The blueprint was changed and is built anew.",
    });
    await vi.waitFor(() => expect(containers()).toBe(""), patience);

    const failing = `${blueprint}initialize:\n  - name: fails\n    run: exit 1\n`;
    await bench.call("member", "PATCH", `/images/${id}`, { blueprint: failing });
    await bench.call("member", "POST", `/images/${id}/build`);
    expect(await bench.settled(id)).toMatchObject({ status: "failed" });
    const { body: image } = await bench.call("member", "GET", `/images/${id}`);
    expect(image, "the one before is still used").toMatchObject({ isBuilt: true });

    const gone = await bench.create("gone", ["sleep 3600"]);
    await bench.call("member", "POST", `/images/${gone}/build`);
    await vi.waitFor(() => expect(containers()).not.toBe(""), patience);
    expect((await bench.call("member", "DELETE", `/images/${gone}`)).status).toBe(200);
    await vi.waitFor(() => expect(containers()).toBe(""), patience);
  });

  it("say when their base is not to be had", async () => {
    const { body } = await bench.call("member", "POST", "/images", {
      name: "baseless",
      blueprint: `base: debian@sha256:${"0".repeat(64)}\n`,
    });
    await bench.call("member", "POST", `/images/${body.id}/build`);
    expect((await bench.settled(body.id)).error).toContain("is not in the operator's folder");
  });

  it("leave the engine as it was when nothing needs what they built", async () => {
    const { id } = await bench.build("passing", ["echo passing > /root/file"]);
    const tags = () => podman.podman("images", "--format", "{{.Repository}}:{{.Tag}}");
    const { body } = await bench.call("member", "GET", `/images/${id}`);
    expect(tags()).toContain(body.contentHash);
    await bench.call("member", "DELETE", `/images/${id}`);
    await sweepSandboxes(bench.service.app);
    expect(tags()).not.toContain(body.contentHash);
  });

  it("a worker that is killed in the middle leaves nothing behind: another builds it, once", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await testDatabase();
    stack.defer(() => database.close());
    const other = await openBench(podman, layout, { FETTLE_SECRET_KEY: "k".repeat(40) }, database);
    stack.defer(() => other.service.close());
    const home = mkdtempSync(join(tmpdir(), "fettle-worker-"));
    stack.defer(() => rmSync(home, { recursive: true, force: true }));
    const startWorker = async () => {
      const started = startProcess(
        join(import.meta.dirname, "..", "..", "testing", "app-worker.ts"),
        ["1500"],
        {
          env: {
            FETTLE_HOME: home,
            FETTLE_PORT: "0",
            DATABASE_URL: database.url.reveal(),
            FETTLE_SECRET_KEY: "k".repeat(40),
            FETTLE_SANDBOX_ENGINE: podman.socketPath,
            FETTLE_SANDBOX_LAYOUT: layout.folder,
          },
        },
      );
      stack.defer(() => started.kill());
      await started.line(/^ready$/);
      return started;
    };
    const id = await other.create("killed", ["echo begun; sleep 10; echo over"]);
    await other.call("member", "POST", `/images/${id}/build`);
    const worker = await startWorker();
    await vi.waitFor(async () => {
      const { body } = await other.call("member", "GET", `/images/${id}/builds`);
      expect(body.items[0].logPreview, worker.output()).toContain("begun");
    }, patience);
    await worker.kill("SIGKILL");
    const left = containers();
    expect(left).not.toBe("");
    await startWorker();
    expect(await other.settled(id)).toMatchObject({ status: "ready" });
    expect(containers()).toBe("");
    const { body } = await other.call("member", "GET", `/images/${id}/builds`);
    expect(body.items).toHaveLength(1);
    expect(body.items[0].logPreview.match(/begun/g)).toHaveLength(1);
  });
});

describe.skipIf(noEngine)(`computers, ${withEngine}`, () => {
  let podman: TestEngine;
  let layout: TestLayout;
  beforeAll(async () => {
    podman = await startPodman();
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")));
  });
  afterAll(async () => {
    await podman?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });
  const running = () => podman.podman("ps", "--quiet").trim().split("\n").filter(Boolean);
  const all = () => podman.podman("ps", "--all", "--quiet").trim().split("\n").filter(Boolean);
  const on = (script: string) => podman.podman("exec", all()[0]!, "sh", "-c", script).trim();

  it("boot from an image, keep their files while they sleep, and are wiped by a reset", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await testDatabase();
    stack.defer(() => database.close());
    let now = Date.now();
    const bench = await openBench(podman, layout, {}, database);
    stack.defer(() => bench.service.close());
    await bench.service.app.work();
    expect((await bench.call("member", "POST", "/computer/reset")).body).toMatchObject({ reset: false });
    const unbuilt = await bench.create("unbuilt", ["true"]);
    const refused = await bench.call("member", "POST", `/images/${unbuilt}/use`);
    expect([refused.status, refused.body.details.code]).toEqual([409, "IMAGE_NOT_BUILT"]);

    const { id } = await bench.build("desk", ["echo from the image > /root/file"]);
    const used = await bench.call("member", "POST", `/images/${id}/use`);
    expect([used.status, used.body]).toMatchObject([200, { imageId: id, status: "ready" }]);
    expect(on("cat /root/file; echo mine > /root/mine")).toBe("from the image");

    // Another process of the same deployment, an hour later: nobody has used it since.
    now += 60 * 60_000;
    const later = await testService({
      database,
      now: () => now,
      env: { FETTLE_SANDBOX_ENGINE: podman.socketPath, FETTLE_SANDBOX_LAYOUT: layout.folder },
    });
    stack.defer(() => later.close());
    await sweepSandboxes(later.app);
    expect(running()).toEqual([]);
    const { wakeComputer } = await import("../computers/computers.ts");
    const whose = { projectId: bench.world.projectId, userId: bench.world.people.member.userId };
    await wakeComputer(later.app, whose);
    expect(on("cat /root/mine")).toBe("mine");

    const reset = await bench.call("member", "POST", "/computer/reset");
    expect(reset.body).toEqual({ projectId: bench.world.projectId, reset: true });
    expect(on("ls /root")).toBe("file");
    expect(all()).toHaveLength(1);

    // Its image goes: it is made of the base from then on.
    await bench.call("member", "DELETE", `/images/${id}`);
    await sweepSandboxes(bench.service.app);
    expect(all()).toEqual([]);
    await wakeComputer(bench.service.app, whose);
    expect(on("ls /root")).toBe("");
    expect(all()).toHaveLength(1);
  });
});

describe("without a container engine", () => {
  it("drafts work, and what needs one says what to install", async () => {
    await using service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
    const world = await makeWorld(service.app.db);
    const call = (method: string, path: string, body?: object) =>
      service.call(`/api/v1/projects/${world.projectId}${path}`, {
        method,
        key: world.people.member.key,
        ...(body && { body }),
      });
    const blueprint = `base: debian@sha256:${"ab".repeat(32)}\n`;
    const { body: image } = await call("POST", "/images", { name: "desk", blueprint });
    for (const path of [`/images/${image.id}/build`, `/images/${image.id}/use`, "/computer/reset"]) {
      const { status, body } = await call("POST", path);
      expect([status, body.code, body.details.reason]).toEqual([
        422,
        "FEATURE_NOT_SUPPORTED",
        "no_sandbox_engine",
      ]);
      expect(body.details.hint).toContain("podman or Docker");
    }
    expect((await call("GET", `/images/${image.id}/builds`)).body).toEqual({ items: [] });
  });

  it("one that does not answer is an outage, and nobody is told to install anything", async () => {
    const socket = join(temporaryFolder(), "silent.sock");
    const silent = createServer((connection) => connection.destroy()).listen(socket);
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    await using service = await testService({
      env: { FETTLE_LIMIT_KEY_BURST: "1000", FETTLE_SANDBOX_ENGINE: socket },
    });
    const world = await makeWorld(service.app.db);
    const { status, body } = await service.call(`/api/v1/projects/${world.projectId}/computer/reset`, {
      method: "POST",
      key: world.people.member.key,
    });
    expect([status, body.code, body.details.code]).toEqual([503, "UNAVAILABLE", "SANDBOX_ENGINE"]);
  });
});
