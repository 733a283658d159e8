import { expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";
import { ModelError } from "./model.ts";

const settings = { concurrentCalls: 2, retries: 2, maxWaitMs: 60_000 };
const live = () => new AbortController().signal;

test("no more calls run at once than a key allows, and all of them run", async () => {
  const limiter = createLimiter(settings);
  let running = 0;
  let most = 0;
  const done = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      limiter.run(async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return index;
      }, live()),
    ),
  );
  expect(done).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(most).toBe(2);
});

test("whoever is cancelled while waiting leaves the queue, and holds up nobody", async () => {
  const limiter = createLimiter({ ...settings, concurrentCalls: 1 });
  const gate = Promise.withResolvers<string>();
  const first = limiter.run(() => gate.promise, live());
  const stop = new AbortController();
  const second = limiter.run(async () => "never", stop.signal);
  const third = limiter.run(async () => "third", live());
  stop.abort();
  await expect(second).rejects.toMatchObject({ code: "MODEL_CANCELLED" });
  gate.resolve("first");
  expect(await Promise.all([first, third])).toEqual(["first", "third"]);
});

test("a wait for a limit ends at once when it is cancelled, and says what was waited for", async () => {
  const limiter = createLimiter(settings);
  const stop = new AbortController();
  const limited = new ModelError("MODEL_RATE_LIMITED", "429", { retryAfterMs: 50_000, mayRepeat: true });
  const calls: number[] = [];
  const waiting = limiter.run(async () => {
    calls.push(1);
    queueMicrotask(() => setImmediate(() => stop.abort()));
    throw limited;
  }, stop.signal);
  await expect(waiting).rejects.toMatchObject({
    code: "MODEL_RATE_LIMITED",
    message: expect.stringContaining("429"),
    mayRepeat: false,
  });
  expect(calls).toHaveLength(1);
});

test("what was shown to somebody is never asked for again", async () => {
  const limiter = createLimiter(settings);
  let calls = 0;
  const asked = limiter.run(async () => {
    calls++;
    throw new ModelError("MODEL_CONNECTION", "cut", { mayRepeat: false });
  }, live());
  await expect(asked).rejects.toMatchObject({ code: "MODEL_CONNECTION" });
  expect(calls).toBe(1);
});
