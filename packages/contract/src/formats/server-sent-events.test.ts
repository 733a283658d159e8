import fc from "fast-check";
import { expect, test } from "vitest";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";

const decodeAll = (pieces: string[]): ServerSentEvent[] => {
  const events: ServerSentEvent[] = [];
  const reader = readServerSentEvents((event) => events.push(event));
  for (const piece of pieces) reader.push(piece);
  return events;
};

test("an event has its id, type and data", () => {
  expect(decodeAll(["id: 7\nevent: changed\ndata: {}\n\n"])).toEqual([
    { id: "7", event: "changed", data: "{}" },
  ]);
});

test("several data lines are one text, an empty one is empty, and an event without any has none", () => {
  expect(decodeAll(["data: a\ndata: b\n\ndata\n\nevent: x\n\n"])).toEqual([
    { event: "message", data: "a\nb" },
    { event: "message", data: "" },
    { event: "x" },
  ]);
});

test("comments keep the link alive and say nothing", () => {
  expect(decodeAll([": hello\n\n:\n\n"])).toEqual([]);
});

test("only one space after the colon is taken away", () => {
  expect(decodeAll(["data:  a\n\ndata:b\n\n"]).map(({ data }) => data)).toEqual([" a", "b"]);
});

test("however the bytes are cut, the same events come out", () => {
  const line = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, "_"));
  const events = fc.array(fc.record({ id: line, event: line, data: line }), { maxLength: 5 });
  const ending = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(events, ending, fc.array(fc.nat(200), { maxLength: 20 }), (sent, end, cuts) => {
      const text = `${sent.map((e) => `id: ${e.id}${end}event: ${e.event}${end}data: ${e.data}${end}${end}`).join("")}`;
      const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
      expect(decodeAll(pieces)).toEqual(sent);
    }),
  );
});
