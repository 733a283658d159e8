import { operations } from "@fettle/contract/operations";
import { expect, test } from "vitest";
import { withRevisionOfHeader } from "./revisions.ts";

const change = (tag: string, body: object) =>
  withRevisionOfHeader(operations.updatePersona, { "if-match": tag }, { query: {}, body }).body;

test("If-Match says in the body which revision is changed", () => {
  expect(change('W/"7.a"', { role: "Guide" })).toEqual({ role: "Guide", expectedUpdatedAt: 7 });
  expect(change('W/"7.a"', { expectedUpdatedAt: 7 })).toEqual({ expectedUpdatedAt: 7 });
});

test("a change that names two revisions is refused, whichever of them is the stale one", () => {
  for (const [tag, expectedUpdatedAt] of [
    ['W/"1.a"', 7],
    ['W/"7.a"', 1],
  ] as const)
    expect(() => change(tag, { expectedUpdatedAt })).toThrow(expect.objectContaining({ status: 412 }));
});
