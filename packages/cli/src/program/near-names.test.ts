import { expect, test } from "vitest";
import { nearNames, unknownName } from "./near-names.ts";

test.each([
  ["a slip", "serch", ["search", "buy"], ["search"]],
  ["two letters swapped", "clodu", ["cloud", "compat"], ["cloud"]],
  ["a part of the name", "claude", ["claude-code", "chatgpt"], ["claude-code"]],
  ["another case and other dashes", "Book_Shop", ["book shop"], ["book shop"]],
  ["nothing like any", "zebra", ["search", "buy"], []],
  ["a short word, wholly other", "ab", ["xy", "az"], ["az"]],
  ["what is further than another", "tools lst", ["tools cost", "tools list"], ["tools list"]],
  ["what is as near as another", "bsh", ["fish", "bash", "zsh"], ["bash", "zsh"]],
  ["half another word", "pingpong", ["ping", "string"], []],
  ["more than anybody could have mistyped", "a".repeat(100_000), ["a"], []],
])("%s", (_, typed, known, near) => {
  expect(nearNames(typed, known)).toEqual(near);
});

test("the near ones stand first, and the rest is told too", () => {
  expect(unknownName("serch", ["buy", "search"])).toEqual({
    choices: ["search", "buy"],
    hint: "Did you mean search?",
    meant: { typed: "serch", name: "search" },
  });
  expect(unknownName("zebra", ["buy"], "See the list.")).toEqual({ choices: ["buy"], hint: "See the list." });
});

test("of very many the first are told, with how many more there are", () => {
  const many = Array.from({ length: 199 }, (_, at) => `check-${String(at).padStart(3, "0")}`);
  expect(unknownName("zebra", many, "See all with `fettle explain`.")).toMatchObject({
    choices: many.slice(0, 20),
    moreChoices: 179,
    hint: "See all with `fettle explain`.",
  });
});
