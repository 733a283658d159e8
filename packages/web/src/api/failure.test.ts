import { ApiError } from "@fettle/contract/core";
import { expect, test } from "vitest";
import { failureOf, failureText, fieldErrors, isOffline, isRetryable } from "./failure.ts";

const answered = (code: string, status: number) => new ApiError(code, "No.", undefined, { status });

test("anything thrown becomes a failure that tells nothing of its inside", () => {
  const failure = failureOf(new TypeError("secret is undefined"));
  expect(failure.code).toBe("INTERNAL_ERROR");
  expect(failure.message).not.toContain("secret");
});

test("no answer at all is offline; an answer that a server cannot be reached is not", () => {
  expect(isOffline(answered("SERVER_UNREACHABLE", 0))).toBe(true);
  expect(isOffline(answered("SERVER_UNREACHABLE", 502))).toBe(false);
});

test.each([
  ["RATE_LIMITED", 429, true],
  ["INTERNAL_ERROR", 500, true],
  ["SERVER_UNREACHABLE", 0, true],
  ["FORBIDDEN", 403, false],
  ["NOT_FOUND", 404, false],
  ["VALIDATION_ERROR", 400, false],
])("%s %i is worth another try: %s", (code, status, worth) => {
  expect(isRetryable(answered(code, status))).toBe(worth);
});

test("the faults of a form are told field by field, the first one of each", () => {
  const failure = new ApiError("VALIDATION_ERROR", "No.", {
    issues: [
      { path: "body.email", message: "Not an address." },
      { path: "body.email", message: "Too long." },
      { path: "body.a.b", message: "Deep." },
      { nonsense: true },
      null,
    ],
  });
  expect(fieldErrors(failure)).toEqual({ email: "Not an address.", "a.b": "Deep." });
  expect(fieldErrors(null)).toEqual({});
});

test.each([
  [
    "a used-up limit",
    new ApiError("RATE_LIMITED", "The limit is $2.", { resetsAt: 0, hint: "Raise it." }),
    /^The limit is \$2\. It begins anew on \w+.* Raise it\.$/,
  ],
  [
    "a quick hand",
    new ApiError("RATE_LIMITED", "Slower.", { retryAfter: 9 }, 9),
    /^Too many tries\. Try again in 9 seconds\.$/,
  ],
  ["anything else", new ApiError("CONFLICT", "It is taken."), /^It is taken\.$/],
])("%s is told as what it is", (_, failure, text) => {
  expect(failureText(failure)).toMatch(text);
});
