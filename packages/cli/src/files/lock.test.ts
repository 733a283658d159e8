import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/world.ts";
import { withLock } from "./lock.ts";

test("only one holds it at a time", async () => {
  const path = join(await temporaryFolder(), "not", "yet", "lock");
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => withLock(path, work)));
  expect(most).toBe(1);
});

test("a failure lets go of it", async () => {
  const path = join(await temporaryFolder(), "lock");
  await expect(withLock(path, () => Promise.reject(new Error("boom")))).rejects.toThrow("boom");
  expect(await withLock(path, async () => "free")).toBe("free");
});

test("a lock whose owner died is taken over", async () => {
  const path = join(await temporaryFolder(), "lock");
  await writeFile(path, "4194305");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  expect(await withLock(path, async () => "mine")).toBe("mine");
});

test("a lock that is held is waited for, but not for ever", async () => {
  const path = join(await temporaryFolder(), "lock");
  await writeFile(path, String(process.pid));
  await expect(withLock(path, async () => "mine", { patienceMs: 50 })).rejects.toThrow(
    "Another fettle holds",
  );
});
