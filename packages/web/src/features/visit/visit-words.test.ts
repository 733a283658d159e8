import { ApiError } from "@fettle/contract/core";
import { expect, test } from "vitest";
import { answererText, inLineText, refusedText } from "./visit-words.ts";

test.each([
  ["cut out of a letter wrongly", { path: "body.linkToken" }, "VALIDATION_ERROR"],
  ["replaced", { code: "LINK_INVALID" }, "NOT_FOUND"],
] as const)("a link that was %s is said to work no more, not to be tried later", (_, details, code) => {
  expect(refusedText(new ApiError(code, "As the service says it.", details))).toMatchObject({
    state: "gone",
    title: "A new link is needed",
  });
});

test.each([
  [null, "It is not settled yet which model answers."],
  ["fettle/rules-1", "A small set of rules answers, not a language model."],
  ["m-1", "The language model m-1 answers."],
])("who answers is told of %s", (model, words) => {
  expect(answererText(model).startsWith(words)).toBe(true);
});

test.each([
  [0, "Your message is next."],
  [1, "1 message is answered before yours."],
  [2, "2 messages are answered before yours."],
])("with %d ahead in line it is said: %s", (ahead, words) => {
  expect(inLineText(ahead)).toBe(`Many people are taking part. ${words}`);
});

test("who is not on the list learns under which address they came, and whom to ask", () => {
  const refused = (code: string, details = {}) =>
    refusedText(new ApiError("FORBIDDEN", "You are not invited.", { code, ...details }));
  expect(refused("NOT_INVITED", { email: "a@example.com" })).toEqual({
    state: "forbidden",
    title: "You are not on the list",
    text: "You are not invited. You are signed in as a@example.com. Ask whoever gave you the link.",
  });
  expect(refused("TOO_MANY_SESSIONS")).toMatchObject({ state: "rate-limited", text: "You are not invited." });
  expect(refused("OTHER")).toBeUndefined();
});

test.each(["CONFLICT", "FEATURE_NOT_SUPPORTED", "VALIDATION_ERROR"] as const)(
  "what is not ready (%s) is not for visitors to mend",
  (code) => {
    expect(refusedText(new ApiError(code, "The client has no model."))).toMatchObject({
      state: "final",
      text: expect.not.stringContaining("model"),
    });
  },
);
