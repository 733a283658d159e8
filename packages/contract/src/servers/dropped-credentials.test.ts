import { expect, test } from "vitest";
import { droppedNotice, namesOfDropped } from "./dropped-credentials.ts";

test.each([
  [[], ""],
  [["tokens"], "everybody's sign-in to it"],
  [["headers", "clientSecret"], "its headers and its client secret"],
  [["headers", "clientSecret", "env"], "its headers, its client secret and its environment variables"],
] as const)("%j are told as: %s", (dropped, told) => {
  expect(namesOfDropped(dropped)).toBe(told);
});

test("nothing is told where nothing was dropped", () => {
  expect([droppedNotice(), droppedNotice([])]).toEqual([undefined, undefined]);
  expect(droppedNotice(["headers"])).toBe(
    "The server has moved, so its headers did not go along. Enter again what the new place needs.",
  );
});
