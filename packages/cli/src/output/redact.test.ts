import { expect, test } from "vitest";
import { redact, redactKey, redactText } from "./redact.ts";

test.each([
  [{ Authorization: "Bearer canary" }],
  [{ "x-api-key": "canary" }],
  [{ "Set-Cookie": "canary" }],
  [{ access_token: "canary" }],
  [{ oauthAccessToken: "canary" }],
  [{ nested: [{ clientSecret: "canary" }] }],
  [{ code_verifier: "canary" }],
  [{ callback: { code: "canary-code" } }],
  [{ log: "sent Authorization: Basic canary:canary" }],
  [{ log: "Bearer canary.canary" }],
  [{ url: "https://a.example/cb?access_token=canary&x=1" }],
  [{ url: "https://user:canary@a.example/" }],
  [{ body: '{"refresh_token":"canary"}' }],
  [{ body: '{\\"id_token\\":\\"canary\\"}' }],
  [{ message: "the key sk_canarycanary was refused" }],
])("nothing of %j remains", (value) => {
  expect(JSON.stringify(redact(value))).not.toContain("canary");
});

test("codes of errors, empty values and everything else stay", () => {
  const value = {
    code: "NOT_FOUND",
    error: { code: "invalid_grant" },
    accessToken: "",
    n: 1,
    none: null,
    list: ["a"],
  };
  expect(redact(value)).toEqual(value);
  expect(redactText("Unknown option '--token'. See https://a.example/docs?x=1")).toBe(
    "Unknown option '--token'. See https://a.example/docs?x=1",
  );
});

test("a key is recognised by its ends, and a short one by its beginning alone", () => {
  expect([redactKey("sk_abcdefghwxyz"), redactKey("sk_abc"), redactKey("whatever-long")]).toEqual([
    "sk_...wxyz",
    "sk_...",
    "...long",
  ]);
});
