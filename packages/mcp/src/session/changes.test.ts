import { sampleCommand, startEverything } from "@fettle/samples";
import { expect, test } from "vitest";
import { parseTarget } from "../target.ts";
import { connect } from "./connect.ts";
import { subscribe } from "./subscriptions.ts";
import { cancelTask, getTask, getTaskResult, listTasks, taskWireOf } from "./tasks.ts";

test.each(["2025-11-25", "2026-07-28"])("changes are heard over HTTP in %s", async (protocolVersion) => {
  const server = await startEverything();
  const connection = await connect(parseTarget({ url: server.url }), { protocolVersion });
  const heard = Promise.withResolvers<string>();
  const subscription = await subscribe(connection, { toolsListChanged: true }, (method) =>
    heard.resolve(method),
  );
  expect(subscription.acknowledged.toolsListChanged).toBe(true);
  await connection.callTool("test_trigger_tool_change");
  expect(await heard.promise).toBe("notifications/tools/list_changed");
  await subscription.close();
  expect((await subscription.ended).outcome).toBe("cancelled");
  await connection.ping();
  await connection.close();
  await server.close();
});

test("changes are heard over stdio, and the end of the process ends the subscription", async () => {
  const connection = await connect(parseTarget(sampleCommand("everything")));
  expect(connection.era).toBe("stateless");
  const heard = Promise.withResolvers<string>();
  const subscription = await subscribe(connection, { promptsListChanged: true }, (method) =>
    heard.resolve(method),
  );
  await connection.callTool("test_trigger_prompt_change");
  expect(await heard.promise).toBe("notifications/prompts/list_changed");
  await connection.close();
  expect(["remote", "graceful"]).toContain((await subscription.ended).outcome);
});

test("tasks of the extension: created, followed, finished, cancelled", async () => {
  const server = await startEverything();
  await using connection = await connect(parseTarget({ url: server.url }), { protocolVersion: "2026-07-28" });
  expect(taskWireOf(connection)).toBe("extension");
  const created = await connection.callTool("slow_compute", { seconds: 0.2 }, { task: {} });
  expect(created).toMatchObject({ resultType: "task", taskId: expect.any(String) });
  const id = created.taskId as string;
  await expect
    .poll(async () => (await getTask(connection, id)).status, { timeout: 60_000 })
    .toBe("completed");
  expect((await getTaskResult(connection, id)).content).toBeInstanceOf(Array);
  const second = await connection.callTool("slow_compute", { seconds: 60 }, { task: {} });
  await cancelTask(connection, second.taskId as string);
  await expect(getTaskResult(connection, second.taskId as string)).rejects.toMatchObject({
    code: "NO_ANSWER",
  });
  expect(() => listTasks(connection)).toThrowError(expect.objectContaining({ code: "NOT_SUPPORTED" }));
  await connection.close();
  await server.close();
});

test("tasks of 2025-11-25: asked for, listed, and their result awaited", async () => {
  const server = await startEverything();
  await using connection = await connect(parseTarget({ url: server.url }), { protocolVersion: "2025-11-25" });
  expect(taskWireOf(connection)).toBe("legacy");
  const created = await connection.callTool("slow_compute", { seconds: 0.2 }, { task: { ttl: 60_000 } });
  const { taskId } = created.task as { taskId: string };
  expect(JSON.stringify(await listTasks(connection))).toContain(taskId);
  expect((await getTaskResult(connection, taskId)).content).toBeInstanceOf(Array);
  await connection.close();
  await server.close();
});
