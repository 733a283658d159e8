/** @module The hostile corpus, all of it over HTTP and part of it over stdio, through the doctor, the protocol suite and plain commands: what they say is held to one another, and nothing crashes or outlives its time-out. */
import { HOSTILE_SERVERS } from "@fettle/samples";
import { describe, expect, test } from "vitest";
import { contradictionsIn, lookOverAll, type RowOfVerdicts } from "./wire-verdicts.ts";

const names = (transport: "http" | "stdio") =>
  HOSTILE_SERVERS.filter(({ transports }) => transports.includes(transport)).map(({ name }) => name);

/** Over stdio each look is a process of its own, so here only what that transport adds or does differently. */
const stdioNames = ["no-newline", "noisy-stdout", "byte-order-mark", "batch-answers", "text-ids"];

/** What the doctor notices of each fault of the wire, by the check that tells it too. */
const noticed: Record<string, string[]> = {
  "asks-while-listing": ["client-capabilities-respected"],
  "batch-answers": ["messages-not-batched"],
  "byte-order-mark": ["messages-without-byte-order-mark"],
  "drops-kept-sockets": [],
  "duplicate-answers": ["answers-once"],
  "log-undeclared": ["logging-declared"],
  "moved-on-same-origin": [],
  "moved-to-other-origin": ["readiness-redirect-origin"],
  "no-newline": ["stdio-clean-stdout"],
  "noisy-stdout": ["stdio-clean-stdout"],
  "not-utf8": ["messages-utf8"],
  "progress-unasked": ["progress-token-known"],
  "reply-events": ["readiness-sse-event-type"],
  "result-on-400": ["readiness-result-status"],
  "stateless-request": ["modern-no-independent-requests-on-stream"],
  "stray-answer-first": ["error-id-echo"],
  "text-ids": ["error-id-echo"],
  "unknown-result-type": ["result-type-known"],
};

describe.each([
  ["http", names("http")],
  ["stdio", stdioNames],
] as const)("over %s", (transport, chosen) => {
  let rows: RowOfVerdicts[] = [];

  test("every command ends in time, and well or with a failure that it names", {
    timeout: 240_000,
  }, async () => {
    rows = await lookOverAll(transport, chosen, { timeoutMs: 3_000, atOnce: 4 });
    expect(rows.flatMap(({ name, late }) => late.map((command) => `${name}: ${command}`))).toEqual([]);
    expect(rows.flatMap(({ name, crashes }) => crashes.map((crash) => `${name}: ${crash}`))).toEqual([]);
  });

  test("no command contradicts another", () => {
    expect(rows.flatMap((row) => contradictionsIn(row).map((words) => `${row.name}: ${words}`))).toEqual([]);
  });

  test("each fault of the wire is noticed by its rule", () => {
    const seen = rows.filter(({ name }) => name in noticed).map(({ name, told }) => [name, told]);
    expect(Object.fromEntries(seen)).toEqual(
      Object.fromEntries(Object.entries(noticed).filter(([name]) => rows.some((row) => row.name === name))),
    );
  });
});
