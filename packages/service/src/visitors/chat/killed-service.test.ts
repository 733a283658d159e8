import { limits } from "@fettle/contract/core";
import { expect, it } from "vitest";
import { saveServer } from "../../testing/eval-suite.ts";
import { startGate } from "../../testing/gate.ts";
import { signedInBrowser } from "../../testing/index.ts";
import { killableWorkers } from "../../testing/killable-workers.ts";
import { settleLostTurns } from "./settle-lost.ts";

const { leaseMs } = limits.chat;

it("a service killed in the middle of turns: nothing is paid twice, and whoever asks again waits no longer than the lease", {
  timeout: leaseMs + 90_000,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { stub, bench, startService } = await killableWorkers(stack, 1_000);
  const gate = await startGate(stub.url);
  stack.defer(() => gate.close());
  gate.mode = "hold";
  const gated = await saveServer(bench.world, bench.service.app, gate.url);
  const key = bench.world.people.member.key;
  const victim = await startService();

  let calls = 0;
  stub.onCall = () => {
    calls++;
    return new Promise(() => {});
  };
  const asked: Record<string, number> = {};
  // Everything that reaches the model is paid for, whether it is answered or not.
  stub.onModel = (_, body) => {
    const [name = ""] = /silent|calling|waiting|afterwards/.exec(body) ?? [];
    asked[name] = (asked[name] ?? 0) + 1;
    return name === "silent" ? { fault: "silence" } : undefined;
  };
  const message = (name: string, serverId: string = bench.server.id) => ({
    projectId: bench.world.projectId,
    idempotencyKey: `key of ${name}`,
    message: `How many copies, ${name}?`,
    modelId: stub.model,
    serverIds: [serverId],
    toolMode: "auto",
  });
  const silent = message("silent");
  const calling = message("calling");
  const waiting = message("waiting", gated.id);
  const dead = [silent, calling, waiting].map((body) =>
    fetch(`${victim.url}/api/v1/chat-sessions/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then(
      ({ status }) => status,
      () => "cut off",
    ),
  );
  await expect
    .poll(() => [asked.silent, calls, gate.count], { timeout: 60_000 })
    .toEqual([1, 1, expect.toSatisfy((count: number) => count > 0)]);
  await victim.kill("SIGKILL");
  expect(await Promise.all(dead)).toEqual(["cut off", "cut off", "cut off"]);
  const killedAt = Date.now();
  gate.mode = "pass";
  stub.onCall = () => undefined;

  const send = (body: object) =>
    bench.service.call("/api/v1/chat-sessions/messages", { method: "POST", key, body });
  const until = async (body: object, answer: { status: number; code?: string }) => {
    const told = async () => {
      const { status, body: said } = await send(body);
      return { status, code: said.details?.code };
    };
    await expect.poll(told, { interval: 500, timeout: leaseMs + 20_000 }).toEqual(answer);
    return send(body);
  };
  for (const body of [silent, calling, waiting]) {
    const { status, body: told } = await send(body);
    expect([status, told.details.code]).toEqual([409, "TURN_IN_PROGRESS"]);
    expect(told.details.retryAfterMs).toBeLessThanOrEqual(limits.chat.retryAfterMs);
  }
  const gone = { status: 409, code: "TURN_LOST" };
  const [lost, , played] = await Promise.all([
    until(silent, gone),
    until(calling, gone),
    until(waiting, { status: 200 }),
  ]);
  expect(Date.now() - killedAt).toBeLessThan(leaseMs + 10_000);
  // No model had been asked: it is played as if it had never been sent, and once.
  expect(played).toMatchObject({ status: 200, body: { reply: "Four copies.", replay: true } });
  expect(asked).toEqual({ silent: 1, calling: 1, waiting: 2 });
  // Their rows say so, and the same keys hear the same.
  await settleLostTurns(bench.service.app);
  const { rows } = await bench.service.app.pool.query(
    "select status, error -> 'details' ->> 'code' as code from chat_turns order by id",
  );
  expect(rows).toEqual([
    { status: "failed", code: "TURN_LOST" },
    { status: "failed", code: "TURN_LOST" },
    { status: "completed", code: null },
  ]);
  expect(await send(silent)).toMatchObject({ status: 409, body: { details: { code: "TURN_LOST" } } });
  const { organizationId, people } = bench.world;
  const spend = await bench.service.call(`/api/v1/organizations/${organizationId}/model-spend`, {
    key: people.owner.key,
  });
  // The call that was never answered, too; how many others were not settled yet depends on the moment of the kill.
  expect(spend.body.today).toMatchObject({
    calls: 4,
    unsettledCalls: expect.toSatisfy((calls: number) => calls >= 1 && calls <= 2),
  });

  const { sessionId } = lost.body.details;
  const other = { sessionId, idempotencyKey: "key of afterwards", message: "And afterwards?" };
  expect(await send(other)).toMatchObject({ status: 200, body: { sessionId, reply: "Four copies." } });
});

it("a service killed while a call waits for a person: the turn is told as cut off, its message is kept, nothing waits any more, and it is sent again", async () => {
  await using stack = new AsyncDisposableStack();
  const { stub, bench, startService } = await killableWorkers(stack, 1_000);
  const { member } = bench.world.people;
  const browser = await signedInBrowser(bench.service, member.userId);
  const victim = await startService();
  const message = "How many copies of book 7?";
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const body = JSON.stringify({
    ...{ projectId: bench.world.projectId, serverIds: [bench.server.id], modelId: stub.model, message },
    ...{ toolMode: "auto", askBeforeCalls: true, idempotencyKey: "asks" },
  });
  const headers = { cookie, "x-fettle-app": "1", "content-type": "application/json" };
  const asked = fetch(`${victim.url}/app/chat-sessions/messages/stream`, { method: "POST", headers, body })
    .then((answer) => answer.text())
    .catch(() => "cut off");
  const call = (method: string, path: string, said?: object) =>
    bench.service.call(`/api/v1${path}`, { method, key: member.key, ...(said && { body: said }) });
  const listed = async () => (await call("GET", `/projects/${bench.world.projectId}/sessions`)).body.items;
  await expect.poll(listed, { timeout: 60_000 }).toMatchObject([{ title: message, turnState: "waiting" }]);
  const [{ id }] = await listed();
  const { runningTurnId: turnId } = (await call("GET", `/chat-sessions/${id}`)).body;
  const readTurn = async () =>
    (await call("GET", `/chat-sessions/${id}/trace?turnId=${turnId}`)).body.turns[0];
  const [{ toolCallId }] = (await readTurn()).pendingCalls;
  await victim.kill("SIGKILL");
  expect(await asked).toMatch(/cut off|ask/);
  // The lease of a dead process runs out by itself; nobody needs to wait for it here.
  const { pool } = bench.service.app;
  await pool.query("update chat_turns set lease_until = now() - interval '1 second'");
  await pool.query("update chat_sessions set running_until = now() - interval '1 second'");

  expect(await listed()).toMatchObject([{ title: message, turnState: "interrupted" }]);
  expect((await call("GET", `/chat-sessions/${id}`)).body).toMatchObject({
    runningTurnId: null,
    interruptedTurnId: turnId,
  });
  await settleLostTurns(bench.service.app);
  const lost = await readTurn();
  expect(lost).toMatchObject({ status: "failed", message, error: { code: "TURN_LOST" } });
  expect(lost).not.toHaveProperty("pendingCalls");
  const decided = { method: "POST", body: { toolCallId, allow: true } };
  expect(await browser.call(`/app/chat-sessions/${id}/turns/${turnId}/decisions`, decided)).toMatchObject({
    status: 200,
    body: { isRunning: false },
  });
  const again = { sessionId: id, message, idempotencyKey: "again" };
  expect(await call("POST", "/chat-sessions/messages", again)).toMatchObject({
    status: 200,
    body: { reply: "Four copies." },
  });
  expect((await call("GET", `/chat-sessions/${id}`)).body).toMatchObject({ interruptedTurnId: null });
  expect(stub.calls).toBe(1);
});
