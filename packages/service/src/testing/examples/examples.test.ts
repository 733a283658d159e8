import { operationExamples } from "@fettle/contract/document";
import { type OperationId, operations } from "@fettle/contract/operations";
import { expect, test } from "vitest";
import { hasCurl, tryExamples } from "./tried.ts";

/** Of each tag the first that changes something, which is where a body or an id may be wrong. */
const oneOfEachTag = new Set(
  Object.values(
    Object.groupBy(
      Object.values(operations).filter(({ id, method }) => operationExamples[id] && method !== "GET"),
      ({ tag }) => tag,
    ),
  ).map((ofTag = []) => ofTag[0]?.id),
);

test.skipIf(!hasCurl)("calls of the API reference and the docs work when pasted", async () => {
  const { tried, wrong } = await tryExamples((id) => oneOfEachTag.has(id as OperationId));
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(20);
});
