import type { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { listen } from "./listening-socket.ts";

const noUpgrade = (_: unknown, socket: Duplex) => socket.destroy();

it("says from the first moment that it is alive and not ready, then hands over", async () => {
  const front = await listen({ host: "127.0.0.1", port: 0 });
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${front.port}${path}`);
    if (response.status === 503) expect(response.headers.get("retry-after")).toBe("1");
    return [response.status, await response.json()];
  };
  expect(await read("/healthz")).toEqual([200, { status: "ok" }]);
  expect(await read("/readyz")).toEqual([503, { ready: false, reason: "starting" }]);
  expect(await read("/api/v1/me")).toEqual([
    503,
    {
      code: "UNAVAILABLE",
      message: "The service is starting. Try again in a moment.",
      details: { reason: "starting" },
    },
  ]);
  front.open((_, response) => response.end(JSON.stringify("handed over")), noUpgrade);
  expect(await read("/healthz")).toEqual([200, "handed over"]);
  await front.close(1_000);
});

it("cuts off what does not end in time", async () => {
  const front = await listen({ host: "127.0.0.1", port: 0 });
  const reached = Promise.withResolvers<void>();
  front.open(() => reached.resolve(), noUpgrade);
  const hanging = fetch(`http://127.0.0.1:${front.port}/`).catch(() => "cut off");
  await reached.promise;
  await front.close(50);
  expect(await hanging).toBe("cut off");
});
