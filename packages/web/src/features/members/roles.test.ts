import { expect, test } from "vitest";
import { memberBlock, roleOptions } from "./roles.ts";

test("only an owner may give the owner's role", () => {
  expect(roleOptions("owner").map(({ value }) => value)).toEqual(["owner", "admin", "member", "guest"]);
  expect(roleOptions("admin").map(({ value }) => value)).toEqual(["admin", "member", "guest"]);
});

test.each([
  ["owner", "owner", true],
  ["admin", "member", true],
  ["admin", "owner", false],
  ["member", "guest", false],
  ["guest", "guest", false],
] as const)("%s may change %s: %s", (held, theirs, may) => {
  expect(memberBlock(held, theirs) === undefined).toBe(may);
});
