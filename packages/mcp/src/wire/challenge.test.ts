import { expect, test } from "vitest";
import { parseBearerChallenge, parseChallenges } from "./challenge.ts";

test("reads several schemes with quoted and bare values", () => {
  const header =
    'Basic realm="a, b", Bearer error="invalid_token", scope="mcp:read mcp:write", resource_metadata="https://x/.well-known/p", Negotiate YII=, Custom';
  expect(parseChallenges(header)).toEqual([
    { scheme: "Basic", parameters: { realm: "a, b" } },
    {
      scheme: "Bearer",
      parameters: {
        error: "invalid_token",
        scope: "mcp:read mcp:write",
        resource_metadata: "https://x/.well-known/p",
      },
    },
    { scheme: "Negotiate", parameters: {} },
    { scheme: "Custom", parameters: {} },
  ]);
});

test("the bearer challenge that points at metadata wins", () => {
  const header = 'Bearer realm="one", bearer resource_metadata="https://m/"';
  expect(parseBearerChallenge(header)).toEqual({ resourceMetadata: "https://m/" });
});

test("escapes are undone and nonsense ends the reading", () => {
  expect(parseBearerChallenge('Bearer realm="say \\"hi\\""')).toEqual({ realm: 'say "hi"' });
  expect(parseBearerChallenge("Bearer")).toEqual({});
  expect(parseBearerChallenge(undefined)).toBeUndefined();
  expect(parseBearerChallenge("Basic abc")).toBeUndefined();
  expect(parseChallenges(`Bearer ${'a="b",'.repeat(10_000)}`).length).toBeLessThan(3);
});
