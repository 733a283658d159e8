import { expect, test } from "vitest";
import {
  type HttpTargetInput,
  parseTarget,
  type StdioTargetInput,
  summarizeTarget,
  targetLabel,
} from "./target.ts";

const refused = expect.objectContaining({ code: "BAD_TARGET" });

test.each<HttpTargetInput | StdioTargetInput>([
  { url: "example.com/mcp" },
  { url: "ftp://example.com" },
  { url: "https://user:pw@example.com/mcp" },
  { url: "https://example.com", headers: { "bad name": "x" } },
  { url: "https://example.com", headers: { good: "a\r\nInjected: x" } },
  { command: "  " },
  { command: "node", args: ["a\0b"] },
  { command: "node", env: { "A=B": "x" } },
])("%j is refused", (input) => {
  expect(() => parseTarget(input)).toThrowError(refused);
});

test("a label and a summary show names, never values", () => {
  const http = parseTarget({
    url: "https://example.com/mcp?api_key=canary#frag",
    headers: { "X-Key": "canary" },
    accessToken: "canary",
  });
  const stdio = parseTarget({ command: "node", args: ["server.js"], env: { TOKEN: "canary" } });
  const shown = JSON.stringify([http, stdio].map((target) => [targetLabel(target), summarizeTarget(target)]));
  expect(shown).not.toContain("canary");
  expect(summarizeTarget(http)).toMatchObject({ headerNames: ["X-Key"], hasAccessToken: true });
  expect(summarizeTarget(stdio)).toMatchObject({ envKeys: ["TOKEN"], commandArgs: ["server.js"] });
});

test("the credentials among a command's arguments are in neither its label nor its summary", () => {
  const args = [
    "server.js",
    "--token=canary",
    "--api-key",
    "canary",
    "--db",
    "postgres://ada:canary@db/shop",
  ];
  const target = parseTarget({ command: "node", args, env: { NAME: "canary" } });
  expect(targetLabel(target)).toBe(
    "node server.js --token=[REDACTED] --api-key [REDACTED] --db postgres://[REDACTED]@db/shop",
  );
  expect(JSON.stringify(summarizeTarget(target))).not.toContain("canary");
  expect(target).toMatchObject({ args });
});
