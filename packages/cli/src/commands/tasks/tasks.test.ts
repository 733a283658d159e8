import { startBookshop, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ url, close } = await startEverything());
});
afterAll(() => close());

const wires = [
  ["legacy", "2025-11-25"],
  ["extension", "2026-07-28"],
] as const;

describe.each(wires)("%s tasks", (wire, version) => {
  const at = () => ["--url", url, "--protocol-version", version, "--wire", wire];

  async function start(tool: string, args = "{}"): Promise<string> {
    const { fettle } = await testWorld();
    const { stdout, exitCode } = await fettle(
      "tools",
      "call",
      ...at(),
      "--tool-name",
      tool,
      "--tool-args",
      args,
      "--task",
    );
    expect(exitCode).toBe(0);
    const created = JSON.parse(stdout);
    return (created.task ?? created).taskId;
  }

  test("are advertised", async () => {
    const { fettle } = await testWorld();
    expect(JSON.parse((await fettle("tasks", "capabilities", ...at())).stdout)).toMatchObject({
      wire,
      protocolVersion: version,
    });
  });

  test("are called, watched to their end, and looked at", async () => {
    const { fettle } = await testWorld();
    const watched = await fettle(
      "tools",
      "call",
      ...at(),
      "--tool-name",
      "slow_compute",
      "--tool-args",
      '{"seconds":0.2}',
      "--task",
      "--task-watch",
      "--poll-interval-ms",
      "60",
    );
    expect(watched.exitCode).toBe(0);
    const { outcome, taskId, task, result } = JSON.parse(watched.stdout);
    expect({ outcome, status: task.status }).toEqual({ outcome: "completed", status: "completed" });
    expect(result.content[0].text).toContain("Computed");
    expect(watched.stderr).toContain("completed");
    // The stateful wire keeps a task within its session.
    if (wire === "legacy") return;
    expect(JSON.parse((await fettle("tasks", "get", ...at(), "--task-id", taskId)).stdout)).toMatchObject({
      status: "completed",
    });
    expect((await fettle("tasks", "result", ...at(), "--task-id", taskId)).exitCode).toBe(0);
  });

  test("that ask are answered at the terminal, or left waiting with an exit code of their own", async () => {
    const argv = [
      "tools",
      "call",
      ...at(),
      "--tool-name",
      "confirm_delete",
      "--task",
      "--task-watch",
      "--poll-interval-ms",
      "60",
    ];
    const asked = await (await testWorld({ stdin: "y\nyes\n", typed: true })).fettle(
      ...argv,
      "--interactive",
    );
    expect(asked.stdout).toContain("Deleted notes.txt");
    // This server asks before there is a task on the older wire.
    if (wire === "legacy") return;
    const waiting = await (await testWorld()).fettle(...argv);
    expect(waiting.exitCode).toBe(6);
    expect(JSON.parse(waiting.stdout)).toMatchObject({ outcome: "input-required", wire });
  });

  test("that take too long end the watching, not the task", async () => {
    const { fettle } = await testWorld();
    const { stdout, exitCode } = await fettle(
      "tools",
      "call",
      ...at(),
      "--tool-name",
      "slow_compute",
      "--tool-args",
      '{"seconds":60}',
      "--task",
      "--task-watch",
      "--duration-ms",
      "300",
    );
    expect(exitCode).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "timeout", task: { status: "working" } });
  });

  test.runIf(wire === "extension")("are cancelled, updated and found missing", async () => {
    const { fettle } = await testWorld();
    const slow = await start("slow_compute", '{"seconds":60}');
    expect((await fettle("tasks", "cancel", ...at(), "--task-id", slow)).exitCode).toBe(0);
    const cancelled = await fettle("tasks", "watch", ...at(), "--task-id", slow);
    expect({ exitCode: cancelled.exitCode, ...JSON.parse(cancelled.stdout) }).toMatchObject({
      exitCode: 1,
      outcome: "cancelled",
    });
    const asking = await start("confirm_delete");
    const answers = '{"confirmation":{"action":"accept","content":{"confirm":true}}}';
    expect(
      (await fettle("tasks", "update", ...at(), "--task-id", asking, "--input-responses", answers)).exitCode,
    ).toBe(0);
    const done = await fettle("tasks", "watch", ...at(), "--task-id", asking, "--poll-interval-ms", "60");
    expect(JSON.parse(done.stdout)).toMatchObject({ outcome: "completed" });
    expect((await fettle("tasks", "watch", ...at(), "--task-id", "nothing")).exitCode).toBe(1);
    expect((await fettle("tasks", "list", ...at())).exitCode).toBe(1);
  });

  test.runIf(wire === "legacy")("are listed", async () => {
    const { fettle } = await testWorld();
    expect(JSON.parse((await fettle("tasks", "list", ...at())).stdout)).toMatchObject({
      tasks: expect.any(Array),
    });
  });
});

test("a server without tasks, or with the other kind, is told apart", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const { fettle } = await testWorld();
  const none = await fettle("tasks", "get", "--url", bookshop.url, "--task-id", "x");
  expect({ ...JSON.parse(none.stderr).error, exitCode: none.exitCode }).toMatchObject({
    code: "FEATURE_NOT_SUPPORTED",
    exitCode: 1,
  });
  expect(JSON.parse((await fettle("tasks", "capabilities", "--url", bookshop.url)).stdout)).toMatchObject({
    wire: "none",
  });
  const other = await fettle("tasks", "get", "--url", url, "--task-id", "x", "--wire", "legacy");
  expect(JSON.parse(other.stderr).error.message).toContain("2026-07-28");
});

describe.each(wires)("subscriptions over %s", (_, version) => {
  test("print one line a change and say how they ended", async () => {
    const { fettle } = await testWorld();
    const world = await testWorld();
    const listening = world.fettle(
      "subscriptions",
      "listen",
      "--url",
      url,
      "--protocol-version",
      version,
      "--list-changed",
      "--max-notifications",
      "1",
      "--duration-ms",
      "8000",
    );
    // Until it listens, changes pass unheard; so they are made until one is heard.
    let over = false;
    listening.finally(() => {
      over = true;
    });
    while (!over) {
      await fettle("tools", "call", "--url", url, "--tool-name", "test_trigger_tool_change");
    }
    const { stdout, exitCode } = await listening;
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ event: "acknowledged", filter: { toolsListChanged: true } });
    expect(events[1]).toMatchObject({ event: "notification", method: "notifications/tools/list_changed" });
    expect(events.at(-1)).toEqual({
      event: "ended",
      outcome: "cancelled",
      notifications: 1,
    });
    expect(exitCode).toBe(0);
  });
});

test("listening for nothing is a usage error", async () => {
  const { fettle } = await testWorld();
  expect((await fettle("subscriptions", "listen", "--url", url)).exitCode).toBe(2);
});
