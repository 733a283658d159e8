import { expect, test } from "vitest";
import { nearNames, unknownName } from "./near-names.ts";

test.each([
  ["a slip", "serch", ["search", "buy"], ["search"]],
  ["two letters swapped", "clodu", ["cloud", "compat"], ["cloud"]],
  ["a part of the name", "claude", ["claude-code", "chatgpt"], ["claude-code"]],
  ["another case and other dashes", "Book_Shop", ["book shop"], ["book shop"]],
  ["nothing like any", "zebra", ["search", "buy"], []],
  ["a short word, wholly other", "ab", ["xy", "az"], ["az"]],
])("%s", (_, typed, known, near) => {
  expect(nearNames(typed, known)).toEqual(near);
});

test("the near ones stand first, and the rest is told too", () => {
  expect(unknownName("serch", ["buy", "search"])).toEqual({
    choices: ["search", "buy"],
    hint: "Did you mean search?",
  });
  expect(unknownName("zebra", ["buy"], "See the list.")).toEqual({ choices: ["buy"], hint: "See the list." });
});
