/** @module Ids: a prefix that says the kind, then a part that sorts by time and cannot be guessed. Never parsed. */
import { randomBytes } from "node:crypto";
import { type Id, type IdKind, idPrefixes } from "@fettle/contract/core";

// Crockford's base32 in lower case: sorts like the number it writes, and no letter is taken for a digit.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const timeLength = 10;
const randomLength = 16;

/**
 * Makes an id of a kind: 48 bits of milliseconds, then 80 random bits.
 *
 * @example
 * newId("project"); // "proj_01m4x7k2v0c8r4t2n6y1q9wzga"
 */
export function newId<Kind extends IdKind>(kind: Kind, at: number = Date.now()): Id<Kind> {
  let time = "";
  let rest = at;
  for (let index = 0; index < timeLength; index++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  // 256 is a multiple of 32, so taking the low five bits of each byte favours no letter.
  for (const byte of randomBytes(randomLength)) random += alphabet[byte & 31];
  // Here ids are made: this is what makes a text one.
  return `${idPrefixes[kind]}_${time}${random}` as Id<Kind>;
}

/** A resource as it is answered, where its id is still known to be one. */
export type WithId<Kind extends IdKind, Resource extends { id: string }> = Resource & { id: Id<Kind> };
