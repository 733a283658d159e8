import { expect, test } from "vitest";
import { codeOf, isKeyOf, isOneOf, keysOf } from "./known.ts";

test("a table's names are its own alone, in their order", () => {
  const table = { stdio: 1, http: 2 };
  expect(keysOf(table)).toEqual(["stdio", "http"]);
  expect(["http", "sse", "constructor", "__proto__"].filter((word) => isKeyOf(table, word))).toEqual([
    "http",
  ]);
});

test("a word is one of a list or it is not, whatever it is", () => {
  const words = ["light", "dark"] as const;
  expect(["dark", "Dark", "", undefined, null, 1].filter((word) => isOneOf(words, word))).toEqual(["dark"]);
});

test("the code of whatever was thrown is read without a fault", () => {
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
  expect([missing, { code: 5 }, new Error("plain"), "ENOENT", null, undefined].map(codeOf)).toEqual([
    "ENOENT",
    5,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
