import { expect, test } from "vitest";
import { z } from "zod";
import { limits } from "./limits/limits.ts";
import { commaList, cursor, cursorFieldOf, pageOrWholeQuery, pageQuery } from "./page.ts";

const few = pageQuery({ max: 200, fallback: 50 });

test.each([
  [undefined, 50],
  ["1", 1],
  ["200", 200],
  ["0", "refused"],
  ["201", "refused"],
  ["1.5", "refused"],
  ["many", "refused"],
])("a page of %s has that many, or is refused", (limit, size) => {
  const read = few.safeParse(limit === undefined ? {} : { limit });
  expect(read.success ? read.data.limit : "refused").toBe(size);
});

test("a list that is answered whole has no limit unless one is sent, and not any", () => {
  const { max } = limits.page.whole;
  expect(pageOrWholeQuery.parse({})).toEqual({});
  expect(pageOrWholeQuery.parse({ limit: `${max}` })).toEqual({ limit: max });
  for (const limit of ["0", `${max + 1}`]) expect(pageOrWholeQuery.safeParse({ limit }).success).toBe(false);
});

test("a cursor is a text of bounded length, whatever its field is called", () => {
  const { cursorLength } = limits.page;
  expect(
    ["", "x", "x".repeat(cursorLength), "x".repeat(cursorLength + 1)].map(
      (text) => cursor.safeParse(text).success,
    ),
  ).toEqual([false, true, true, false]);
  expect(cursorFieldOf({ query: few })).toBe("cursor");
  expect(cursorFieldOf({ query: z.object({ limit: z.string(), before: cursor.optional() }) })).toBe("before");
  expect(cursorFieldOf({ query: z.object({ before: z.string().optional() }) })).toBeUndefined();
  expect(cursorFieldOf({ query: z.string() })).toBeUndefined();
  expect(cursorFieldOf({})).toBeUndefined();
});

test("several words may be one value, with spaces between them", () => {
  const words = commaList(z.enum(["passed", "failed"]));
  expect(words.parse("passed, failed")).toEqual(["passed", "failed"]);
  expect(words.parse("failed")).toEqual(["failed"]);
  expect(words.safeParse("passed,").success).toBe(false);
});
