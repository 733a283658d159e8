import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEventStream, type StreamEvent } from "./event-stream.ts";

function read(chunks: readonly Uint8Array[], cap = 10_000): StreamEvent[] {
  const events: StreamEvent[] = [];
  const parser = parseEventStream(cap, (event) => events.push(event));
  for (const chunk of chunks) parser.push(chunk);
  return events;
}

const sample = [
  "\uFEFF: a comment",
  "",
  "id: 1",
  "data: one",
  "",
  "event: endpoint",
  "data:/messages?x=1",
  "retry: 250",
  "",
  "data: two",
  "data: lines — ünï",
  "unknown: field",
  "",
  "id: 2",
  "data:",
  "",
  "data: unfinished",
];
const expected: StreamEvent[] = [
  { event: "message", data: "one", id: "1" },
  { event: "endpoint", data: "/messages?x=1", retry: 250 },
  { event: "message", data: "two\nlines — ünï" },
  { event: "message", data: "", id: "2" },
];

test.each(["\n", "\r\n", "\r"])("reads events with lines ended by %j", (end) => {
  expect(read([Buffer.from(sample.join(end))])).toEqual(expected);
});

test("chunk borders make no difference, not even inside a character or a line end", () => {
  const bytes = Buffer.from(sample.join("\r\n"));
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge));
      expect(read(chunks)).toEqual(expected);
    }),
  );
});

test("an event without end is refused at its cap", () => {
  const parser = parseEventStream(1_000, () => {});
  expect(() => {
    for (let at = 0; at < 100; at++) parser.push(Buffer.from(`data: ${"x".repeat(50)}\n`));
  }).toThrowError(expect.objectContaining({ code: "TOO_LARGE" }));
  const line = parseEventStream(1_000, () => {});
  expect(() => {
    for (let at = 0; at < 100; at++) line.push(Buffer.from("x".repeat(50)));
  }).toThrowError(expect.objectContaining({ code: "TOO_LARGE" }));
});

test("heartbeats for ever are no event", () => {
  const parser = parseEventStream(1_000, () => {});
  for (let at = 0; at < 10_000; at++) parser.push(Buffer.from(": ping\n\n"));
});
