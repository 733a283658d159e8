import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test.each([
  [0, "tool", "0 tools"],
  [1, "tool", "1 tool"],
  [2, "entry", "2 entries"],
  [2, "day", "2 days"],
])("%i of %s is %s", (number, noun, words) => expect(counted(number, noun)).toBe(words));

test("an odd plural is given", () => expect(counted(2, "child", "children")).toBe("2 children"));
