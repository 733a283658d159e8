import { limits } from "@fettle/contract";
import { expect, it } from "vitest";
import { saveServer } from "../testing/eval-suite.ts";
import { startGate } from "../testing/gate.ts";
import { killableWorkers } from "../testing/killable-workers.ts";

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
    .poll(() => [asked.silent, calls, gate.count], { timeout: 30_000 })
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

  const { sessionId } = lost.body.details;
  const other = { sessionId, idempotencyKey: "key of afterwards", message: "And afterwards?" };
  expect(await send(other)).toMatchObject({ status: 200, body: { sessionId, reply: "Four copies." } });
});
