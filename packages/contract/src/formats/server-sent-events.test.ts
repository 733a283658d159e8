import fc from "fast-check";
import { expect, test } from "vitest";
import { eventDecoder, type ServerEvent } from "./sse.ts";

const decodeAll = (pieces: string[]): ServerEvent[] => {
  const decode = eventDecoder();
  return pieces.flatMap((piece) => decode(piece));
};

test("an event has its id, type and data", () => {
  expect(decodeAll(["id: 7\nevent: changed\ndata: {}\n\n"])).toEqual([
    { id: "7", type: "changed", data: "{}" },
  ]);
});

test("several data lines are one text, and an event without data is none", () => {
  expect(decodeAll(["data: a\ndata: b\n\nevent: x\n\n"])).toEqual([
    { id: null, type: "message", data: "a\nb" },
  ]);
});

test("comments keep the link alive and say nothing", () => {
  expect(decodeAll([": hello\n\n:\n\n"])).toEqual([]);
});

test("only one space after the colon is taken away", () => {
  expect(decodeAll(["data:  a\n\ndata:b\n\n"]).map(({ data }) => data)).toEqual([" a", "b"]);
});

test("however the bytes are cut, the same events come out", () => {
  const line = fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "_"));
  const events = fc.array(fc.record({ id: line, type: line, data: line }), { maxLength: 5 });
  const ending = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(events, ending, fc.array(fc.nat(200), { maxLength: 20 }), (sent, end, cuts) => {
      // One more byte, because a lone CR at the end waits for what follows it.
      const text = `${sent.map((e) => `id: ${e.id}${end}event: ${e.type}${end}data: ${e.data}${end}${end}`).join("")}:`;
      const at = [...new Set(cuts.map((cut) => cut % text.length))].sort((a, b) => a - b);
      const pieces = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
      expect(decodeAll(pieces)).toEqual(sent);
    }),
  );
});
