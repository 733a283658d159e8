/** @module What a server asks of us as a task: begun at once, looked at, waited for, cancelled, and gone after its time. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { clientTasksOf, createClientTasks } from "./client-tasks.ts";

const hour = 3_600_000;
const never = () => new Promise<JsonObject>(() => {});
const idOf = (started: JsonObject) => (started.task as { taskId: string }).taskId;

function tasksAt(now = new Date("2026-01-01T00:00:00Z")) {
  vi.useFakeTimers({ now });
  const tasks = createClientTasks();
  onTestFinished(() => {
    tasks.end();
    vi.useRealTimers();
  });
  const list = async () => ((await tasks.serve("tasks/list", {})) as { tasks: JsonObject[] }).tasks;
  return { ...tasks, list };
}
let tasks: ReturnType<typeof tasksAt>;
beforeEach(() => {
  tasks = tasksAt();
});

test.each([
  [{}, {}],
  [{ sampling: {} }, { sampling: { createMessage: {} } }],
  [{ elicitation: {} }, { elicitation: { create: {} } }],
  [
    { sampling: {}, elicitation: {}, roots: {} },
    { sampling: { createMessage: {} }, elicitation: { create: {} } },
  ],
])("of the requests that a client answers it takes on as tasks: %j", (declared, requests) => {
  expect(clientTasksOf(declared)).toEqual({ list: {}, cancel: {}, requests });
});

describe("a task", () => {
  test("is answered with at once, and has the result of its work when that is done", async () => {
    let finish = (_: JsonObject) => {};
    const started = tasks.start({}, () => new Promise((resolve) => (finish = resolve)));
    const taskId = idOf(started);
    const at = "2026-01-01T00:00:00.000Z";
    const facts = {
      taskId,
      status: "working",
      createdAt: at,
      lastUpdatedAt: at,
      ttl: hour,
      pollInterval: 500,
    };
    expect(started).toEqual({ task: facts });
    expect(await tasks.serve("tasks/get", { taskId })).toEqual(facts);
    expect(await tasks.list()).toEqual([facts]);

    await vi.advanceTimersByTimeAsync(5_000);
    finish({ text: "done", _meta: { own: 1 } });
    expect(await tasks.serve("tasks/result", { taskId })).toEqual({
      text: "done",
      _meta: { own: 1, "io.modelcontextprotocol/related-task": { taskId } },
    });
    expect(await tasks.serve("tasks/get", { taskId })).toEqual({
      ...facts,
      status: "completed",
      lastUpdatedAt: "2026-01-01T00:00:05.000Z",
    });
  });

  test.each([
    [new Error("No model is set."), "No model is set."],
    ["busy", "busy"],
  ])("whose work fails says why: %s", async (reason, statusMessage) => {
    const taskId = idOf(tasks.start({}, () => Promise.reject(reason)));
    await expect(tasks.serve("tasks/result", { taskId })).rejects.toBe(reason);
    expect(await tasks.serve("tasks/get", { taskId })).toMatchObject({ status: "failed", statusMessage });
  });

  test("that is cancelled stops its work, keeps that status, and is not cancelled twice", async () => {
    let stopped: unknown;
    let finish = (_: JsonObject) => {};
    const started = tasks.start({}, (signal) => {
      signal.addEventListener("abort", () => (stopped = signal.reason));
      return new Promise((resolve) => (finish = resolve));
    });
    const taskId = idOf(started);
    expect(await tasks.serve("tasks/cancel", { taskId })).toMatchObject({ taskId, status: "cancelled" });
    expect(stopped).toMatchObject({ rpcCode: -32000, message: "The task was cancelled" });
    finish({});
    await vi.advanceTimersByTimeAsync(0);
    expect(await tasks.serve("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
    await expect(tasks.serve("tasks/cancel", { taskId })).rejects.toMatchObject({
      rpcCode: -32602,
      message: "The task is already cancelled",
    });
  });

  test.each([
    [{}, hour],
    [{ ttl: null }, hour],
    [{ ttl: 1_000 }, 1_000],
    [{ ttl: 0 }, 0],
    [{ ttl: -1 }, 0],
    [{ ttl: 2 * hour }, hour],
    [{ ttl: "soon" }, 0],
  ])("wished for with %j is kept for %d ms", async (wished, ttl) => {
    const taskId = idOf(tasks.start(wished, never));
    expect(await tasks.serve("tasks/get", { taskId })).toMatchObject({ ttl });
    await vi.advanceTimersByTimeAsync(Math.max(0, ttl - 1));
    expect(await tasks.list()).toHaveLength(ttl > 1 ? 1 : 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await tasks.list()).toHaveLength(0);
  });

  test("that is over stops its work, and is no longer known", async () => {
    const reasons: unknown[] = [];
    const begin = () =>
      idOf(
        tasks.start({ ttl: 1_000 }, (signal) => {
          signal.addEventListener("abort", () => reasons.push(signal.reason));
          return never();
        }),
      );
    const taskId = begin();
    await vi.advanceTimersByTimeAsync(1_000);
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      await expect(tasks.serve(method, { taskId })).rejects.toMatchObject({
        rpcCode: -32602,
        message: "There is no such task",
      });
    begin();
    tasks.end();
    expect(reasons).toMatchObject([{ message: "The task is over" }, { message: "The task is over" }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("one more than is kept takes the place of one that has ended, and is refused where none has", async () => {
  const ended = idOf(tasks.start({}, async () => ({})));
  for (let count = 1; count < 32; count += 1) tasks.start({}, never);
  await vi.advanceTimersByTimeAsync(0);
  const ids = async () => (await tasks.list()).map(({ taskId }) => taskId);
  expect(await ids()).toHaveLength(32);
  const newest = idOf(tasks.start({}, never));
  expect(await ids()).toHaveLength(32);
  expect(await ids()).toContain(newest);
  expect(await ids()).not.toContain(ended);
  expect(() => tasks.start({}, never)).toThrow("Too many tasks at once");
});

test("other methods are not the business of tasks", async () => {
  expect(tasks.serve("tools/call", {})).toBeUndefined();
  expect(tasks.serve("toString", {})).toBeUndefined();
  await expect(tasks.serve("tasks/get", { taskId: 7 })).rejects.toThrow("There is no such task");
});
