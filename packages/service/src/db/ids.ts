/** @module Ids: a prefix that says what it is, then a part that sorts by time of making. Never parsed. */
import { randomBytes } from "node:crypto";

// Without i, l, o and u, which are misread; in the order of their codes, so that text order is time order.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * 48 bits of milliseconds and 80 random ones, like UUIDv7, as 26 characters.
 *
 * @example
 * newId("prj"); // "prj_01kq3v8m2e9c4w7t5n6b8z0d1f"
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let time = "";
  for (let rest = now, digit = 0; digit < 10; digit++, rest = Math.floor(rest / 32)) {
    time = alphabet[rest % 32] + time;
  }
  let random = "";
  for (const byte of randomBytes(16)) random += alphabet[byte % 32];
  return `${prefix}_${time}${random}`;
}
