import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineSockets } from "../../core/config/engine-sockets.ts";
import {
  machineName,
  noEngine,
  startPodman,
  type TestEngine,
  type TestLayout,
  withEngine,
  writeLayout,
} from "../../testing/sandbox-images/podman.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { bringBase, removeOtherBases } from "./base-image.ts";
import { type ContainerWanted, type Engine, openEngine } from "./engine.ts";
import { readFrames } from "./output-frames.ts";

const MiB = 1024 * 1024;
const limits = { memoryBytes: 64 * MiB, processors: 1, processes: 32, diskBytes: 32 * MiB, network: false };
/** Stays until it is told to end. */
const idle = ["/bin/sh", "-c", 'trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done'] as const;

describe.skipIf(noEngine)(`a container engine, ${withEngine}`, () => {
  let podman: TestEngine;
  let layout: TestLayout;
  let engine: Engine;
  let image: string;
  beforeAll(async () => {
    podman = await startPodman();
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")));
    engine = await openEngine(podman.socketPath, "test");
    image = await bringBase(
      engine,
      { layout: layout.folder, registry: undefined },
      `debian:13@${layout.digest}`,
    );
  });
  afterAll(async () => {
    await podman?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });

  const start = async (wanted: Partial<ContainerWanted> = {}) => {
    const id = await engine.containers.create({
      labels: { kind: "test" },
      image,
      command: [...idle],
      limits,
      ...wanted,
    });
    await engine.containers.start(id);
    return id;
  };
  const run = async (id: string, script: string, input?: string) => {
    const running = await engine.containers.execute(id, ["sh", "-c", script], {
      takesInput: input !== undefined,
    });
    if (input !== undefined) running.input.end(input);
    const said = { stdout: "", stderr: "" };
    for await (const { stream, bytes } of running.output) said[stream] += bytes.toString("utf8");
    return { ...said, exitCode: await running.exitCode() };
  };

  it("says who it is", () => expect(engine.name).toMatch(/^(podman|Docker) \d/));

  it("runs a command with its input, both outputs and its exit code", async () => {
    const id = await start();
    expect(await run(id, "cat; echo no >&2; exit 3", "yes\n")).toEqual({
      stdout: "yes\n",
      stderr: "no\n",
      exitCode: 3,
    });
  });

  it("shows nothing of the machine: no network, no other processes, no powers", async () => {
    const id = await start();
    expect((await run(id, "ls /sys/class/net")).stdout.trim()).toBe("lo");
    expect((await run(id, "ls -d /proc/[0-9]* | wc -l")).stdout.trim()).toMatch(/^[1-6]$/);
    expect((await run(id, "mount -t tmpfs none /tmp")).exitCode).not.toBe(0);
    expect((await run(id, "mknod /tmp/disk b 8 0")).exitCode).not.toBe(0);
    expect((await run(id, "grep NoNewPrivs /proc/self/status")).stdout).toContain("1");
  });

  it("has a hosts file of its own, with nothing of the machine's names, proxy or resolver", async () => {
    const id = await start();
    const hosts = (await run(id, "cat /etc/hosts")).stdout;
    expect(hosts).toMatch(/^127\.0\.0\.1\s+localhost/m);
    expect(hosts).not.toContain(machineName);
    const { stdout } = await run(id, "env; tr '\\0' '\\n' < /proc/1/environ; cat /etc/resolv.conf");
    expect(stdout).not.toContain(machineName);
    for (const line of readFileSync("/etc/resolv.conf", "utf8").split("\n").filter(Boolean))
      expect(stdout).not.toContain(line);
    // Woken again, it is still its own.
    await engine.containers.stop(id, 1);
    await engine.containers.start(id);
    expect((await run(id, "cat /etc/hosts")).stdout).toBe(hosts);
  });

  it("ends what takes more memory than it may, and leaves the container", async () => {
    const id = await start();
    expect((await run(id, "head -c 300m /dev/zero | tail")).exitCode).toBe(137);
    expect(await engine.containers.find(id)).toMatchObject({ isRunning: true });
  });

  it("holds what is busy to its share of a processor", async () => {
    const id = await start({ limits: { ...limits, processors: 0.1 } });
    // Either the second version of control groups or the first, as the machine has it.
    const stat = "$(ls /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/cpu/cpu.stat 2>/dev/null)";
    const quota = await run(
      id,
      "cat /sys/fs/cgroup/cpu.max || cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.cfs_period_us",
    );
    const [most, of] = quota.stdout.trim().split(/\s+/).map(Number);
    expect(most! / of!).toBeCloseTo(0.1);
    // It is busy until it was made to wait: the kernel counts how often.
    const held = await run(id, `while grep -q "^nr_throttled 0$" ${stat}; do :; done; echo held`);
    expect(held.stdout).toBe("held\n");
    await engine.containers.remove(id);
  });

  it("refuses processes beyond their number", async () => {
    const id = await start();
    const { stdout, stderr } = await run(id, "for i in $(seq 100); do sleep 60 & done; echo all of them");
    expect(stdout).not.toContain("all of them");
    expect(stderr).toContain("can't fork");
  });

  it("bounds each file, and counts what was written, also where the engine does not", async () => {
    const id = await start();
    const { exitCode } = await run(id, "head -c 100m /dev/zero > /root/large");
    expect(exitCode).not.toBe(0);
    const before = await engine.containers.written(id);
    expect(before).toBeGreaterThanOrEqual(30 * MiB);
    await run(id, "head -c 5m /dev/zero >> /etc/hosts");
    expect((await engine.containers.written(id)) - before).toBeGreaterThan(4 * MiB);
  });

  it("speaks to a container's own process, line by line, with nothing of ours before the first", async () => {
    const id = await engine.containers.create({
      labels: { kind: "attached" },
      image,
      command: ["/bin/sh", "-c", "while read line; do echo got $line; echo heard $line >&2; done"],
      takesInput: true,
      limits,
    });
    const stream = await engine.containers.attach(id);
    await engine.containers.start(id);
    stream.write("one\n");
    const pieces = readFrames(stream);
    const heard = new Set<string>();
    for await (const { stream: from, bytes } of pieces) {
      heard.add(`${from} ${bytes.toString("utf8").trim()}`);
      if (heard.size === 2) break;
    }
    expect([...heard].sort()).toEqual(["stderr heard one", "stdout got one"]);
    // Its input ended with the connection.
    expect(await engine.containers.wait(id)).toBe(0);
  });

  it("keeps the bases that are pinned, and those of other deployments", async () => {
    const other = await openEngine(podman.socketPath, "other");
    const pinned = `debian:13@${layout.digest}`;
    const base = await bringBase(other, { layout: layout.folder, registry: undefined }, pinned);
    await removeOtherBases(other, async () => [pinned]);
    expect(await other.images.has(base)).toBe(true);
    await removeOtherBases(other, async () => [`debian:13@sha256:${"0".repeat(64)}`]);
    expect(await other.images.has(base)).toBe(false);
    expect(await engine.images.has(image)).toBe(true);
  });

  it("keeps what a container has become, and starts others from it", async () => {
    const id = await start();
    await run(id, "echo kept > /root/file");
    await engine.images.commit(id, "localhost/fettle-test", "one");
    expect(await engine.images.listTags()).toEqual(["localhost/fettle-test:one"]);
    const second = await start({ image: "localhost/fettle-test:one" });
    expect((await run(second, "cat /root/file")).stdout).toBe("kept\n");
    await engine.containers.remove(second);
    await engine.images.remove("localhost/fettle-test:one");
    expect(await engine.images.listTags()).toEqual([]);
    await engine.images.remove("localhost/fettle-test:one");
  });

  it("stops and starts a container without losing its files, and finds it by its labels", async () => {
    const id = await start({ labels: { kind: "computer" } });
    await run(id, "echo here > /root/file");
    await engine.containers.stop(id);
    await engine.containers.stop(id);
    expect(await engine.containers.list({ kind: "computer" })).toMatchObject([{ id, isRunning: false }]);
    await engine.containers.start(id);
    expect((await run(id, "cat /root/file")).stdout).toBe("here\n");
    const other = await openEngine(podman.socketPath, "another deployment");
    expect(await other.containers.list({ kind: "computer" })).toEqual([]);
    await engine.containers.remove(id);
    await engine.containers.remove(id);
    expect(await engine.containers.list({ kind: "computer" })).toEqual([]);
    expect(await engine.containers.find(id)).toBeUndefined();
  });

  it("takes no base whose bytes are not what the digest says", async () => {
    const spoiled = writeLayout(temporaryFolder());
    appendFileSync(spoiled.blob(spoiled.layer), "x");
    const bring = (base: string) => bringBase(engine, { layout: spoiled.folder, registry: undefined }, base);
    await engine.images.remove(image);
    await expect(bring(`debian@${spoiled.digest}`)).rejects.toThrow("has another digest");
    await expect(bring(`debian@sha256:${"0".repeat(64)}`)).rejects.toThrow("is not in the operator's folder");
    image = await bringBase(
      engine,
      { layout: layout.folder, registry: undefined },
      `debian@${layout.digest}`,
    );
  });

  it("says what an engine refused, and that one does not answer", async () => {
    await expect(engine.images.load(Readable.from([Buffer.from("no tar")]))).rejects.toThrow();
    await expect(engine.containers.start("nothing")).rejects.toMatchObject({
      name: "EngineError",
      status: 404,
    });
    await expect(openEngine("/nonexistent.sock", "test")).rejects.toThrow("does not answer");
  });
});

describe.skipIf(noEngine)(`a registry, ${withEngine}`, () => {
  it("gives the base that is pinned, and no other", async () => {
    const layout = writeLayout(temporaryFolder());
    let swapped: string | undefined;
    const registry = createServer(async (request, response) => {
      const digest = /sha256:[0-9a-f]{64}/.exec(request.url!)?.[0];
      if (!digest) return void response.writeHead(request.url === "/v2/" ? 200 : 404).end();
      const { readFile } = await import("node:fs/promises");
      const bytes = await readFile(layout.blob(swapped ?? digest)).catch(() => undefined);
      if (!bytes) return void response.writeHead(404).end();
      const isManifest = request.url!.includes("/manifests/");
      response.writeHead(200, {
        "content-type": isManifest
          ? "application/vnd.oci.image.manifest.v1+json"
          : "application/octet-stream",
        "content-length": bytes.length,
      });
      response.end(request.method === "HEAD" ? undefined : bytes);
    }).listen(0, "127.0.0.1");
    await once(registry, "listening");
    const address = `127.0.0.1:${(registry.address() as { port: number }).port}`;
    const podman = await startPodman({ registry: address });
    try {
      const engine = await openEngine(podman.socketPath, "test");
      const from = { layout: undefined, registry: `${address}/library` };
      swapped = layout.config;
      await expect(bringBase(engine, from, `debian@${layout.digest}`)).rejects.toThrow("could not be pulled");
      swapped = undefined;
      const image = await bringBase(engine, from, `debian@${layout.digest}`);
      expect(await engine.images.has(image)).toBe(true);
    } finally {
      await podman.stop();
      registry.closeAllConnections();
      registry.close();
    }
  });
});

describe("where an engine is looked for", () => {
  it.each([
    ["/run/own.sock", {}, ["/run/own.sock"]],
    ["off", { DOCKER_HOST: "unix:///run/docker.sock" }, []],
    [undefined, { DOCKER_HOST: "unix:///run/other.sock" }, ["/run/other.sock"]],
    [undefined, { CONTAINER_HOST: "unix:///run/pod.sock" }, ["/run/pod.sock"]],
  ])("%s with %o", (asked, env, sockets) => expect(engineSockets(asked, env)).toEqual(sockets));

  it("tries the usual places, and none over TCP", () => {
    const sockets = engineSockets(undefined, {
      DOCKER_HOST: "tcp://10.0.0.1:2375",
      XDG_RUNTIME_DIR: "/run/user/7",
    });
    expect(sockets.slice(0, 3)).toEqual([
      "/run/user/7/podman/podman.sock",
      "/run/podman/podman.sock",
      "/var/run/docker.sock",
    ]);
  });
});
