/** @module What came on stdout, judged line by line. */
import { readMessages, wireLimits } from "@fettle/mcp";
import { expect, test } from "vitest";
import type { ProtocolSeen } from "../seen.ts";
import { stdioChecks } from "./checks.ts";

const facts = {
  version: "2025-11-25",
  era: "stateful",
  transport: "stdio",
  isLoopback: true,
  officialFixtures: false,
} as const;
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** As read by a client that takes few levels. */
function judged(...lines: string[]) {
  const stdout = lines.flatMap((line) => readMessages(line, { ...wireLimits, jsonDepth: 5 }));
  const seen: Partial<ProtocolSeen> = { stdout, wire: [] };
  const check = stdioChecks.find(({ id }) => id === "stdio-clean-stdout");
  return check?.judge(seen as ProtocolSeen, facts);
}

test.each<[string, string[], string, number]>([
  ["messages alone", [answer], "passed", 0],
  ["a message deeper than a client takes", [answer, "[".repeat(9) + "]".repeat(9)], "passed", 0],
  ["an answer without its id", ['{"jsonrpc":"2.0","id":null,"result":{}}'], "passed", 0],
  ["a log line", [answer, "Listening on stdio"], "failed", 1],
  ["five log lines", [answer, ..."abcde"], "failed", 5],
])("%s", (_, lines, is, foreign) => {
  expect(judged(...lines)).toMatchObject({ is, details: { lines: lines.length, foreign } });
});

test("three of the lines that are no messages are shown, each by its beginning", () => {
  expect(judged("a".repeat(200), "b", "c", "d")).toMatchObject({
    why: expect.stringMatching(/^What came is no JSON-RPC message: /),
    details: { evidence: ["a".repeat(80), "b", "c"], foreign: 4 },
  });
});

test("a server that wrote nothing is not judged", () => {
  expect(judged()).toMatchObject({ is: "could-not-run" });
});
