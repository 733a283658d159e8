import { expect, test } from "vitest";
import { historyPoints } from "./history-points.ts";

test("a result goes where its time and height say, and one without a value is left out", () => {
  const entry = (at: number, value: number | null) => ({
    id: `${at}`,
    at,
    value,
    tone: "good" as const,
    word: "Passed",
  });
  const box = { width: 100, height: 50 };
  const placed = (...entries: ReturnType<typeof entry>[]) =>
    historyPoints(entries, box).map(({ x, y }) => [x, y]);
  expect(placed(entry(30, 100), entry(20, null), entry(10, 0))).toEqual([
    [0, 50],
    [100, 0],
  ]);
  expect(placed(entry(10, 50))).toEqual([[50, 25]]);
  const turns = historyPoints([entry(10, 0), entry(11, 0), entry(90, 0)], box, "turn");
  expect(turns.map(({ x }) => x)).toEqual([0, 50, 100]);
});
