import { expect, test } from "vitest";
import { conflictRows, preselected, settled } from "./three-way.ts";

const base = { name: "A", model: "m", note: "old", tags: ["x"] };

test("only what the two disagree on is asked about", () => {
  const mine = { ...base, model: "mine", note: "same" };
  const theirs = { ...base, name: "B", note: "same" };
  expect(conflictRows(base, mine, theirs)).toEqual([
    { field: "name", mine: "A", theirs: "B", changedBy: "them" },
    { field: "model", mine: "mine", theirs: "m", changedBy: "me" },
  ]);
});

test("a merge keeps each one's own changes, and mine where both changed", () => {
  const mine = { ...base, model: "mine", tags: ["mine"] };
  const theirs = { ...base, name: "B", tags: ["theirs"] };
  const rows = conflictRows(base, mine, theirs);
  expect(rows.find(({ field }) => field === "tags")?.changedBy).toBe("both");
  expect(settled(theirs, rows, preselected)).toEqual({
    name: "B",
    model: "mine",
    note: "old",
    tags: ["mine"],
  });
  expect(settled(theirs, rows, () => "theirs")).toEqual(theirs);
  expect(settled(theirs, rows, () => "mine")).toEqual(mine);
});

test("a field that one took out stays out, and one that was put in stays in", () => {
  const { note: _, ...mine } = base;
  const theirs = { ...base, added: true };
  const rows = conflictRows(base, mine, theirs);
  expect(rows.map(({ field, changedBy }) => [field, changedBy])).toEqual([
    ["note", "me"],
    ["added", "them"],
  ]);
  expect(settled(theirs, rows, preselected)).toEqual({ name: "A", model: "m", tags: ["x"], added: true });
});
