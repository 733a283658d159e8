import { expect, test } from "vitest";
import { modelFault } from "./agent/faults.ts";
import { ModelError } from "./models/model.ts";
import { counted, sentences } from "./told.ts";

test.each<[(string | undefined)[], string]>([
  [["The provider said no", "Check the key."], "The provider said no. Check the key."],
  [["Incorrect key. ", "Check the key."], "Incorrect key. Check the key."],
  [["Really?", undefined, "", "Yes"], "Really? Yes"],
  [['It said "no."', "Ask again."], 'It said "no." Ask again.'],
])("%j are told one after the other", (parts, told) => {
  expect(sentences(...parts)).toBe(told);
});

test("a model's fault and what to do about it are two sentences", () => {
  const error = new ModelError("MODEL_KEY_REFUSED", "The provider answered 401: wrong key", {
    hint: "Check it.",
  });
  expect(modelFault(error).message).toBe("The provider answered 401: wrong key. Check it.");
});

test("one of a thing is no plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "tool call"))).toEqual([
    "0 tool calls",
    "1 tool call",
    "2 tool calls",
  ]);
});
