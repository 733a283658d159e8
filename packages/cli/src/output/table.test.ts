import { expect, test } from "vitest";
import { count, facts, table } from "./table.ts";
import { render, style, truncate, widthOf, wrap } from "./text.ts";

const plain = (value: Parameters<typeof render>[0]) => render(value, { colour: false });

test("columns line up by what is seen, not by code units", () => {
  const shown = table(
    [{ header: "NAME" }, { header: "N", align: "right" }],
    [
      ["日本語", 1],
      ["café", 22],
      ["👩‍👩‍👧", 333],
      [style.green("ok"), 4],
    ],
    80,
  );
  expect(plain(shown)).toBe(
    ["NAME      N", "日本語    1", "café     22", "👩‍👩‍👧      333", "ok        4"].join("\n"),
  );
});

test("only columns that may shrink are cut to fit, and ids stay whole", () => {
  const row = ["proj_0123456789", "A name that goes on and on and on", "2026-01-01T00:00:00Z"];
  const shown = table(
    [{ header: "ID" }, { header: "NAME", shrinks: true }, { header: "UPDATED" }],
    [row],
    60,
  );
  expect(plain(shown).split("\n")[1]).toBe("proj_0123456789  A name that goes on …  2026-01-01T00:00:00Z");
});

test("what is too wide even then is not cut further", () => {
  expect(plain(table([{ header: "ID" }], [["proj_0123456789"]], 5))).toContain("proj_0123456789");
});

test("facts align their values and leave out what is not there", () => {
  expect(
    plain(
      facts([
        ["A", "1"],
        ["Long", "2"],
        ["B", undefined],
      ]),
    ),
  ).toBe("A     1\nLong  2");
});

test("cutting never splits a character", () => {
  expect(plain(truncate("日本語", 4))).toBe("日…");
  expect(plain(truncate("👩‍👩‍👧👩‍👩‍👧", 3))).toBe("👩‍👩‍👧…");
  expect(plain(truncate("abc", 3))).toBe("abc");
});

test.each([
  ["abc ✓ → …", 9],
  ["日本語", 6],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["한글", 4],
])("%s takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("paragraphs break at spaces", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("incomprehensibilities", 7)).toEqual(["incomprehensibilities"]);
});

test("counts agree with their noun", () => {
  expect([count(1, "project"), count(2, "project"), count(0, "entry", "entries")]).toEqual([
    "1 project",
    "2 projects",
    "0 entries",
  ]);
});
