import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxImageId } from "@fettle/contract/core";
import type { OpenServers } from "@fettle/evals";
import { startBookshop } from "@fettle/samples";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { evalSuiteEnvironments, evalSuites } from "../../core/tables/eval-suites.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { askCase } from "../../testing/eval-suite.ts";
import {
  noEngine,
  startPodman,
  type TestEngine,
  type TestLayout,
  withEngine,
  writeLayout,
} from "../../testing/sandbox-images/podman.ts";
import { createHolder } from "../engine/holder.ts";
import { openComputer } from "./for-run.ts";
import { sweepSandboxes } from "./sweep.ts";

describe.skipIf(noEngine)(`a computer in a conversation, ${withEngine}`, () => {
  let podman: TestEngine;
  let layout: TestLayout;
  let bench: EvalBench;
  let shop: Awaited<ReturnType<typeof startBookshop>>;
  let imageId: SandboxImageId;
  beforeAll(async () => {
    podman = await startPodman();
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")));
    shop = await startBookshop();
    bench = await evalBench(shop.url, {
      env: {
        FETTLE_SANDBOX_ENGINE: podman.socketPath,
        FETTLE_SANDBOX_LAYOUT: layout.folder,
        FETTLE_SANDBOX_MEMORY: "64",
        FETTLE_SANDBOX_DISK: "32",
      },
    });
    await bench.service.app.work();
    const blueprint = `base: debian@${layout.digest}
initialize:
  - name: shelf
    run: echo Planets > /root/shelf
maintenance:
  - name: tidy up
    run: touch /root/never-run
knowledge:
  - name: where books are
    contents: The list is in /root/shelf.
`;
    const by = { person: "admin" as const };
    imageId = (await bench.call("POST", "/images", { name: "desk", blueprint }, by)).body.id;
    await bench.call("POST", `/images/${imageId}/build`, undefined, by);
    await vi.waitFor(async () => {
      const { body } = await bench.call("GET", `/images/${imageId}`, undefined, by);
      expect(body.currentBuild.status).toBe("ready");
    }, 60_000);
    await bench.call("POST", `/images/${imageId}/promote`, undefined, by);
  });
  afterAll(async () => {
    await bench?.service.close();
    await shop?.close();
    await podman?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });
  const containers = () => podman.podman("ps", "--all", "--quiet").trim();
  const open = (over: Partial<Parameters<typeof openComputer>[1]> = {}, app = bench.service.app) =>
    openComputer(
      app,
      {
        projectId: bench.world.projectId,
        userId: bench.world.people.member.userId,
        imageId,
        wanted: undefined,
        callMs: 60_000,
        taken: [],
        ...over,
      },
      new AbortController().signal,
    );
  const call = async (opened: OpenServers | undefined, name: string, args: object) => {
    const { content, isError } = await opened!.links[0]!.connection.callTool(name, { ...args });
    return { text: (content as { text: string }[])[0]!.text, isError };
  };

  it("goes when the process is gone that had it, and not before", async () => {
    const { app } = bench.service;
    const another = createHolder(app);
    await using _ours = await open();
    await using _theirs = await open({}, { ...app, sandboxHolder: another });
    await sweepSandboxes(app);
    expect(containers().split("\n")).toHaveLength(2);
    // As after three beats that did not come.
    await another.close();
    await sweepSandboxes(app);
    expect(containers().split("\n")).toHaveLength(1);
  });

  it("has three tools, is told what is known of it, and is gone afterwards", async () => {
    {
      await using opened = await open();
      const [link] = opened!.links;
      expect(link!.name).toBe("computer");
      expect(link!.tools.map(({ name }) => name)).toEqual(["run_command", "read_file", "write_file"]);
      expect(link!.tools[0]!.description).toContain("The list is in /root/shelf.");
      expect(link!.tools[0]!.description).toContain("To tidy up, run:\ntouch /root/never-run");
      expect(await call(opened, "run_command", { command: "cat /root/shelf; ls /root; exit 3" })).toEqual({
        text: "exit code 3\nPlanets\nshelf\n",
        isError: true,
      });
      const content = 'two\nlines with "quotes" and $HOME\n';
      expect(await call(opened, "write_file", { path: "/srv/deep/note", content })).toEqual({
        text: `Wrote ${content.length} bytes.`,
        isError: false,
      });
      expect(await call(opened, "read_file", { path: "/srv/deep/note" })).toEqual({
        text: content,
        isError: false,
      });
      expect((await call(opened, "read_file", { path: "/none" })).isError).toBe(true);
      expect((await call(opened, "write_file", { path: "-n", content: "" })).isError).toBe(false);
      expect((await call(opened, "run_command", {})).isError).toBe(true);
    }
    expect(containers()).toBe("");
    await using again = await open();
    expect((await call(again, "run_command", { command: "ls /srv" })).isError).toBe(true);
  });

  it("is held to its time, its disk and its memory, call by call", async () => {
    {
      await using hurried = await open({ callMs: 6_000 });
      expect(await call(hurried, "run_command", { command: "sleep 600" })).toEqual({
        text: "It took longer than 6 seconds.",
        isError: true,
      });
      expect((await call(hurried, "run_command", { command: "ps | grep -c '[s]leep 600'" })).text).toBe(
        "exit code 1\n0\n",
      );
    }
    await using opened = await open({});
    expect((await call(opened, "run_command", { command: "yes | head -c 5m" })).text.length).toBeLessThan(
      31_000,
    );
    expect((await call(opened, "run_command", { command: "head -c 300m /dev/zero | tail" })).text).toContain(
      "137",
    );
    const fill = "for i in 1 2 3 4 5 6; do head -c 10m /dev/zero > /root/$i; done; sleep 600";
    expect((await call(opened, "run_command", { command: fill })).text).toBe("It wrote more than 32 MiB.");
    expect((await call(opened, "run_command", { command: "true" })).text).toBe("It wrote more than 32 MiB.");
  });

  it("goes on with its files after a command has ended it", async () => {
    await using opened = await open({});
    await call(opened, "write_file", { path: "/root/note", content: "kept" });
    await call(opened, "run_command", { command: "kill 1; sleep 600" });
    expect((await call(opened, "read_file", { path: "/root/note" })).text).toBe("kept");
  });

  it("is the person's own where the client says so, and keeps what was written", async () => {
    const wanted = { kind: "personal" as const, workdir: "/root" };
    await expect(open({ imageId: undefined, wanted })).rejects.toThrow("There is no computer for you");
    await bench.call("POST", `/images/${imageId}/use`);
    {
      await using opened = await open({ imageId: undefined, wanted });
      await call(opened, "write_file", { path: "mine", content: "kept" });
    }
    await using opened = await open({ imageId: undefined, wanted, taken: ["computer"] });
    expect(opened!.links[0]!.name).toBe("sandbox computer");
    expect((await call(opened, "read_file", { path: "/root/mine" })).text).toBe("kept");
    await expect(open({ imageId: undefined, wanted, userId: null })).rejects.toThrow("Nobody is there");
    expect(await open({ imageId: undefined })).toBeUndefined();
    const { body: draft } = await bench.call("POST", "/images", {
      name: "draft",
      blueprint: `base: debian@${layout.digest}\n`,
    });
    await expect(open({ imageId: draft.id })).rejects.toThrow("is not shared");
  });

  it("is offered in the playground and in eval runs when the environment pins its image, and its calls are recorded", async () => {
    const by = { person: "admin" as const };
    const { body: client } = await bench.call(
      "POST",
      "/clients",
      { name: "Bare", config: { modelId: "fettle/rules-1", serverIds: [bench.server.id] } },
      by,
    );
    const { status, body: environment } = await bench.call(
      "POST",
      "/environments",
      { name: "With a desk", hostId: client.id, sandboxImageId: imageId },
      by,
    );
    expect([status, environment]).toMatchObject([201, { sandboxImageId: imageId }]);
    const sent = await bench.service.call("/api/v1/chat-sessions/messages", {
      method: "POST",
      key: bench.world.people.member.key,
      body: {
        projectId: bench.world.projectId,
        idempotencyKey: "one",
        environmentId: environment.id,
        toolMode: "auto",
        allowedTools: ["read_file"],
        message: 'Use read_file with path "/root/shelf"',
      },
    });
    expect(sent).toMatchObject({ status: 200 });
    expect(sent.body.toolCalls).toMatchObject([{ toolName: "read_file", serverId: null }]);
    expect(JSON.stringify(sent.body)).toContain("Planets");

    const suiteId = await bench.suite([
      askCase("reads", 'Use read_file with path "/root/shelf"', "read_file"),
    ]);
    await bench.service.app.db
      .update(evalSuites)
      .set({ sandboxImageId: imageId })
      .where(eq(evalSuites.id, suiteId));
    const named = await bench.call("POST", "/eval-runs", { suiteId });
    expect(await bench.ended(named.body.runId)).toMatchObject({ status: "completed", result: "passed" });
    const attached = { suiteId, environmentId: environment.id, position: 0 };
    await bench.service.app.db.insert(evalSuiteEnvironments).values(attached);
    const launched = await bench.call("POST", "/eval-runs", { suiteId });
    expect(await bench.ended(launched.body.runId)).toMatchObject({ status: "completed", result: "passed" });
    const { body: kept } = await bench.call("GET", `/eval-runs/${launched.body.runId}/iterations`);
    expect(JSON.stringify(kept.items)).toContain("read_file");
    await vi.waitFor(
      () => expect(podman.podman("ps", "--all", "--quiet").trim().split("\n")).toHaveLength(1),
      60_000,
    );
  });
});
