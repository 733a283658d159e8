import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { addressPart, decodedPart } from "./address-part.ts";
import { findByPointer } from "./json-pointer.ts";

const anyText = fc.string({ unit: "binary" });

it("any text is part of an address and comes back, but for halves of characters", () => {
  fc.assert(fc.property(anyText, (text) => decodedPart(addressPart(text)) === text.toWellFormed()));
  expect(addressPart("\ud83d")).toBe("%EF%BF%BD");
});

it("an escape of nothing is taken as it stands", () => {
  expect(decodedPart("%zz")).toBe("%zz");
  expect(decodedPart("%ED%A0%80")).toBe("%ED%A0%80");
  expect(decodedPart("a%20b")).toBe("a b");
});

it.each<[reference: string, found: unknown]>([
  ["#", { $defs: { "a/b": 1, "50%": 2, "": [3] } }],
  ["#/$defs/a~1b", 1],
  ["#/$defs/a%2Fb", 1],
  ["#/$defs/50%", 2],
  ["#/$defs//0", 3],
  ["#/$defs/nothing/here", undefined],
  ["#/__proto__", undefined],
  ["https://example.com#/$defs", undefined],
])("%s leads to %j", (reference, found) => {
  expect(findByPointer({ $defs: { "a/b": 1, "50%": 2, "": [3] } }, reference)).toEqual(found);
});

it("no reference throws", () => {
  fc.assert(fc.property(anyText, (text) => void findByPointer({ a: {} }, `#/${text}`)));
});

it("nothing else reads or writes parts of addresses", () => {
  const packages = join(import.meta.dirname, "..", "..", "..");
  const allowed = [
    "contract/src/formats/address-part.ts",
    // They refuse what is wrongly escaped.
    "service/src/inspector/listener.ts",
    "service/src/core/config/option-values.ts",
    "service/src/people/mail/post.ts",
    // A page of its own, which loads nothing.
    "service/src/servers/connections/callback-page.ts",
  ].map((name) => join(...name.split("/")));
  const files = readdirSync(packages, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      /^\w+[\\/]src[\\/].*\.tsx?$/.test(name) &&
      !name.includes("node_modules") &&
      !/\.test\.|[\\/]testing[\\/]|^samples/.test(name) &&
      !allowed.includes(name),
  );
  const own = files.filter((name) =>
    /\b(?:en|de)codeURI(?:Component)?\b/.test(readFileSync(join(packages, name), "utf8")),
  );
  expect(own).toEqual([]);
});
