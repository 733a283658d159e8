/** @module Session ids side by side. */
import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sessionProblems } from "./session-ids.ts";

test.each<[string, string[], boolean]>([
  ["one alone", ["1"], false],
  ["random UUIDs", [randomUUID(), randomUUID()], false],
  ["random hexadecimal digits", [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")], false],
  [
    "UUIDs that begin with the time",
    ["01993f2a-7c10-7b1e-9a4c-52f0d1a7c3e9", "01993f2a-7c11-7d90-8b2f-0c44e19fa6b2"],
    false,
  ],
  ["long random numbers", ["483920175648291", "910384756102938"], false],
  ["the same twice", ["a-long-and-fixed-id", "a-long-and-fixed-id"], true],
  ["a counter", ["session-9", "session-10"], true],
  ["a counter with something behind", ["s-0041-eu", "s-0042-eu"], true],
  ["the time of day, an hour apart", ["1763582400123", "1763585999987"], true],
])("%s", (_, ids, isFault) => {
  expect(sessionProblems(ids).map(({ code }) => code)).toEqual(isFault ? ["SESSION_GUESSABLE"] : []);
});
