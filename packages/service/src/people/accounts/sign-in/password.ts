/** @module Passwords at rest: scrypt, in a text that says its own parameters so that they can be raised later. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

// 32 MiB and three passes: as hard to guess as the often-advised 128 MiB and one, but four people signing in at once fit in memory.
const current = { N: 2 ** 15, r: 8, p: 3 };
const keyLength = 32;
const maxMemory = 128 * 1024 * 1024;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

async function deriveKey(password: string, salt: Buffer, cost: typeof current): Promise<Buffer> {
  // The same password may be typed as different code points on different keyboards.
  return derive(password.normalize("NFKC"), salt, keyLength, { ...cost, maxmem: maxMemory });
}

/**
 * @example
 * await hashPassword("correct horse"); // "scrypt$32768$8$3$<salt>$<key>"
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, current);
  const { N, r, p } = current;
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

// A hash no password leads to; checking against it costs what a real check costs.
const decoy = ["scrypt", current.N, current.r, current.p, "AAAAAAAAAAAAAAAAAAAAAA", "A".repeat(43)].join("$");

/** Takes as long without a stored hash as with one, so that timing does not tell who has an account. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = (stored ?? decoy).split("$");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await deriveKey(password, Buffer.from(salt, "base64url"), cost);
  const expected = Buffer.from(key, "base64url");
  return stored !== undefined && expected.length === keyLength && timingSafeEqual(derived, expected);
}
