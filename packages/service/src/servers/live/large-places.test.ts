import type { ProjectId } from "@fettle/contract/core";
import { expect, it } from "vitest";
import { inTurn, wholeLength } from "../../../../mcp/src/messages/turns.ts";
import { createLargePlaces } from "./large-places.ts";

// Names are ids here; nothing looks them up.
const [busy, other] = ["busy", "other"] as unknown as [ProjectId, ProjectId];

/** A call that reads an answer of that many bytes and is over when told so. */
function callIn(places: ReturnType<typeof createLargePlaces>, projectId: ProjectId, bytes = wholeLength + 1) {
  const { promise: told, resolve: end } = Promise.withResolvers<void>();
  const call = { hasRead: false, end, over: Promise.resolve() };
  call.over = places.within(projectId, async () => {
    for await (const _chunk of inTurn(bodyOf(bytes))) call.hasRead = true;
    await told;
  });
  return call;
}

async function* bodyOf(bytes: number): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(bytes);
}

it("one project's large answers wait for one another, somebody else's find a place, and small ones never wait", async () => {
  const places = createLargePlaces({ places: 3, perProject: 2 });
  const first = callIn(places, busy);
  const second = callIn(places, busy);
  const third = callIn(places, busy);
  const fourth = callIn(places, busy);
  const small = callIn(places, busy, 1_000);
  const others = callIn(places, other);
  const read = () => [first, second, third, fourth, small, others].map(({ hasRead }) => hasRead);
  await expect.poll(read).toEqual([true, true, false, false, true, true]);

  first.end();
  await first.over;
  await expect.poll(read).toEqual([true, true, true, false, true, true]);

  for (const call of [second, third, fourth, small, others]) call.end();
  await Promise.all([second, third, fourth, small, others].map(({ over }) => over));
  expect(read()).toEqual([true, true, true, true, true, true]);
});

it("a call that fails, also while it waits, leaves its place to the next", async () => {
  const places = createLargePlaces({ places: 1, perProject: 1 });
  const failing = places.within(busy, async () => {
    for await (const _chunk of inTurn(bodyOf(wholeLength + 1))) throw new Error("cut off");
  });
  const next = callIn(places, other);
  await expect(failing).rejects.toThrow("cut off");
  await expect.poll(() => next.hasRead).toBe(true);
  const gone = places.within(busy, async () => {
    void inTurn(bodyOf(wholeLength + 1)).next();
    throw new Error("gone");
  });
  await expect(gone).rejects.toThrow("gone");
  next.end();
  await next.over;
  const last = callIn(places, busy);
  last.end();
  await last.over;
  expect(last.hasRead).toBe(true);
});
