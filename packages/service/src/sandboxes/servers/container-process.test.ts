import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type StdioTarget } from "@fettle/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  noEngine,
  startPodman,
  type TestEngine,
  type TestLayout,
  withEngine,
  writeLayout,
} from "../../testing/sandbox-images/podman.ts";
import { shellServer } from "../../testing/sandbox-images/shell-server.ts";
import { bringBase } from "../engine/base-image.ts";
import { type Engine, openEngine } from "../engine/engine.ts";
import { startInContainer } from "./container-process.ts";

const MiB = 1024 * 1024;
const limits = { memoryBytes: 64 * MiB, processors: 1, processes: 32, diskBytes: 16 * MiB, network: false };
const labels = { kind: "test" };

describe.skipIf(noEngine)(`a stdio server in a container, ${withEngine}`, () => {
  let podman: TestEngine;
  let layout: TestLayout;
  let engine: Engine;
  let image: string;
  beforeAll(async () => {
    podman = await startPodman();
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")));
    engine = await openEngine(podman.socketPath, "test");
    const from = { layout: layout.folder, registry: undefined };
    image = await bringBase(engine, from, `debian:13@${layout.digest}`);
  });
  afterAll(async () => {
    await podman?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });
  const target = (command: string, ...args: string[]): StdioTarget => ({
    kind: "stdio",
    command,
    args,
    env: { WHO: "somebody" },
    start: (asked) => startInContainer(engine, { labels, image, limits }, asked),
  });
  const hosted = { policy: { mode: "hosted", exceptions: [] } } as const;

  it("is spoken to, tells what it writes on stderr, and leaves nothing", async () => {
    const connection = await connect(target("sh", "-c", shellServer), hosted);
    expect(connection.serverInfo?.name).toBe("shell");
    expect((await connection.listTools()).items.map(({ name }) => name)).toEqual(["fill", "who"]);
    const { entries } = connection.recorder.read();
    expect(JSON.stringify(entries.filter(({ kind }) => kind === "stderr"))).toContain(
      "opened for [REDACTED]",
    );
    await connection.close();
    expect(await engine.containers.list(labels)).toEqual([]);
  });

  it("is stopped when it writes more than it may, and the call says why", async () => {
    const connection = await connect(target("sh", "-c", shellServer), hosted);
    const failure = await connection.callTool("fill", {}).catch((error) => error);
    expect(failure.code).toBe("PROCESS_EXITED");
    expect(JSON.stringify(failure.details)).toContain("It wrote more than 16 MiB");
    expect(await engine.containers.list(labels)).toEqual([]);
  });

  it.each([
    ["a command that the image does not have", target("no-such-program"), "PROCESS_EXITED", /code 127/],
    [
      "a command that ends at once",
      target("sh", "-c", "echo broken >&2; exit 7"),
      "PROCESS_EXITED",
      /code 7/,
    ],
  ])("says so of %s", async (_name, asked, code, message) => {
    const failure = await connect(asked, hosted).catch((error) => error);
    expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)]);
    expect(await engine.containers.list(labels)).toEqual([]);
  });

  it("ends one that does not notice that its input has ended", async () => {
    const connection = await connect(target("sh", "-c", `${shellServer}\nwhile :; do sleep 1; done`), hosted);
    await connection.close();
    expect(await engine.containers.list(labels)).toEqual([]);
  });
});
