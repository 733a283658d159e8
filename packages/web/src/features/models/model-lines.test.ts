import { expect, test } from "vitest";
import { modelLines, readModelLines } from "./model-lines.ts";

const price = { inputPerMTok: 0.4, outputPerMTok: 1.6 };

test("what was typed is read, and written again the same", () => {
  const models = [{ model: "gpt-5.4-mini", price }, { model: "meta/llama-4" }];
  const text = "gpt-5.4-mini 0.4 1.6\nmeta/llama-4";
  expect(readModelLines(`\n  ${text}  \n\n`)).toEqual({ models });
  expect(modelLines(models)).toBe(text);
});

test.each([
  ["m 2 10 0.1", { inputPerMTok: 2, outputPerMTok: 10, cachedInputPerMTok: 0.1 }],
  ["m 2 10 0.1 2.5", { inputPerMTok: 2, outputPerMTok: 10, cachedInputPerMTok: 0.1, cacheWritePerMTok: 2.5 }],
])("prices of the cache come last: %s", (text, cachePrice) => {
  expect(readModelLines(text)).toEqual({ models: [{ model: "m", price: cachePrice }] });
  expect(modelLines([{ model: "m", price: cachePrice }])).toBe(text);
});

test.each([
  ["with commas and dollars", "m, $0.4, $1.6", { models: [{ model: "m", price }] }],
  ["free", "m 0 0", { models: [{ model: "m", price: { inputPerMTok: 0, outputPerMTok: 0 } }] }],
  ["nothing", "", { models: [] }],
])("%s", (_, text, read) => {
  expect(readModelLines(text)).toEqual(read);
});

test.each(["m 0.4", "m cheap dear", "m 1 2 3 4 5", "m 1 2 x", "m -1 2", "m\nm 1 2"])(
  "%j is refused with the model's name",
  (text) => {
    expect(readModelLines(text)).toEqual({ fault: expect.stringContaining("m") });
  },
);
