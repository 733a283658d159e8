import { expect, test } from "vitest";
import { redactKey } from "./redact-key.ts";

test("a key is recognised by its ends, and a short one by its beginning alone", () => {
  expect([redactKey("sk_abcdefghwxyz"), redactKey("sk_abc"), redactKey("whatever-long")]).toEqual([
    "sk_...wxyz",
    "sk_...",
    "...long",
  ]);
});
