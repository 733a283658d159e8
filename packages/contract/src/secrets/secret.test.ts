import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "./secret.ts";

const canary = "canary-7f3a";

test("a secret prints as [redacted] in every way a value is usually printed", () => {
  const secret = new Secret(canary);
  const printed = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: [secret] }, { showHidden: true, depth: null }),
    format("%s %o %j", secret, secret, secret),
    new Error(`failed with ${secret}`, { cause: secret }).stack,
    JSON.stringify(Object.entries(secret)),
  ].join("\n");
  expect(printed).not.toContain(canary);
  expect(printed).toContain("[redacted]");
});

test("a secret gives its value back only when asked by name", () => {
  expect(new Secret(canary).reveal()).toBe(canary);
});
