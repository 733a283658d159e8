import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

test("only the right password opens a hash", async () => {
  const hash = await hashPassword("correct horse battery");
  expect(await verifyPassword("correct horse battery", hash)).toBe(true);
  expect(await verifyPassword("correct horse batterz", hash)).toBe(false);
  expect(await verifyPassword("", hash)).toBe(false);
});

test("the same password twice gives two hashes, and neither holds the password", async () => {
  const [first, second] = await Promise.all([
    hashPassword("canary-password"),
    hashPassword("canary-password"),
  ]);
  expect(first).not.toBe(second);
  expect(first).not.toContain("canary");
});

test("a hash made with other parameters is still opened", async () => {
  const salt = Buffer.from("0123456789abcdef").toString("base64url");
  // scrypt("older", "0123456789abcdef", N=1024, r=8, p=1), computed apart from this code.
  const key = "eg7DXa0jz0sPIdGNIOa759dKTCTdNJddHRz9hWhZfzg";
  expect(await verifyPassword("older", `scrypt$1024$8$1$${salt}$${key}`)).toBe(true);
});

test("letters typed as different code points are the same password", async () => {
  const hash = await hashPassword("se\u00f1or-password");
  expect(await verifyPassword("sen\u0303or-password", hash)).toBe(true);
});

test("no stored hash takes as much work as a wrong password", async () => {
  const hash = await hashPassword("correct horse battery");
  // In processor time, which a busy machine does not change; the least of a few, since what else the process did counts, too.
  const work = async (stored: string | undefined) => {
    const took: number[] = [];
    for (let n = 0; n < 5; n++) {
      const before = process.cpuUsage();
      expect(await verifyPassword("wrong", stored)).toBe(false);
      took.push(process.cpuUsage(before).user);
    }
    return Math.min(...took);
  };
  await work(undefined);
  const known = await work(hash);
  const unknown = await work(undefined);
  expect(unknown / known).toBeGreaterThan(0.5);
  expect(unknown / known).toBeLessThan(2);
});

test("a malformed hash opens for nobody", async () => {
  expect(await verifyPassword("", "scrypt$1024$8$1$$")).toBe(false);
});
