import type { ApiKey } from "@fettle/contract/people";
import { expect, test } from "vitest";
import { inListOrder, keyState } from "./key-state.ts";

const now = 1_000_000;
const key = (change: Partial<ApiKey>) =>
  ({ createdAt: 0, expiresAt: null, revokedAt: null, ...change }) as ApiKey;

test.each([
  [{}, "active"],
  [{ expiresAt: now + 1 }, "active"],
  [{ expiresAt: now }, "expired"],
  [{ revokedAt: now - 1 }, "revoked"],
  [{ revokedAt: now - 1, expiresAt: now - 1 }, "revoked"],
])("%j is %s", (change, state) => {
  expect(keyState(key(change), now)).toBe(state);
});

test("working keys come first, and of those the newest", () => {
  const old = key({ id: "old", createdAt: 1 });
  const young = key({ id: "young", createdAt: 3 });
  const dead = key({ id: "dead", createdAt: 9, revokedAt: 9 });
  expect(inListOrder([dead, old, young], now).map(({ id }) => id)).toEqual(["young", "old", "dead"]);
});
