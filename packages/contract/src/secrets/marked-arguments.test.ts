import { expect, it } from "vitest";
import { markedArguments } from "./marked-arguments.ts";

const password = { type: "string", format: "password" };
it.each<[what: string, schema: unknown, args: unknown, found: string[]]>([
  ["a format", { properties: { pin: password } }, { pin: "472 913", city: "Graz" }, ["472 913"]],
  ["writeOnly", { properties: { pin: { writeOnly: true } } }, { pin: { a: "one", b: [22] } }, ["one", "22"]],
  ["items", { properties: { pins: { items: password } } }, { pins: ["one", "two"] }, ["one", "two"]],
  ["any member", { additionalProperties: password }, { x: "one" }, ["one"]],
  ["an alternative", { anyOf: [{ properties: { pin: password } }, {}] }, { pin: "one" }, ["one"]],
  [
    "a reference",
    { properties: { pin: { $ref: "#/$defs/Pin" } }, $defs: { Pin: password } },
    { pin: "one" },
    ["one"],
  ],
  [
    "a schema that refers to itself",
    { properties: { a: { $ref: "#" } }, allOf: [{ $ref: "#" }] },
    { a: { a: 1 } },
    [],
  ],
  ["names alone", undefined, { login: { dbPassword: "one" }, api_key: "two" }, ["one", "two"]],
  ["words that are often something else", {}, { key: "planets", sortKey: "price", token: "next-page" }, []],
  ["nothing to look at", null, "text", []],
])("finds what is marked by %s", (_, schema, args, found) => {
  expect(markedArguments(schema, args)).toEqual(found);
});

it("a number too large for JavaScript is found as it was written, and an empty text is nothing", () => {
  const schema = { properties: { pins: { items: password } } };
  const exact = JSON.rawJSON("12345678901234567890");
  expect(markedArguments(schema, { pins: [exact, "", null, true] })).toEqual(["12345678901234567890"]);
});

const wrapped = (depth: number, value: unknown, wrap: (inside: unknown) => unknown): unknown =>
  depth === 0 ? value : wrap(wrapped(depth - 1, value, wrap));

it.each([
  [24, ["one"]],
  [25, []],
])("looks for marks %i levels deep: %j", (depth, found) => {
  const inArguments = wrapped(depth, password, (items) => ({ items }));
  expect(
    markedArguments(
      inArguments,
      wrapped(depth, "one", (inside) => [inside]),
    ),
  ).toEqual(found);
  const inObjects = wrapped(depth, password, (a) => ({ properties: { a } }));
  expect(
    markedArguments(
      inObjects,
      wrapped(depth, "one", (a) => ({ a })),
    ),
  ).toEqual(found);
  expect(
    markedArguments(
      wrapped(depth, password, (one) => ({ allOf: [one] })),
      "one",
    ),
  ).toEqual(found);
});
