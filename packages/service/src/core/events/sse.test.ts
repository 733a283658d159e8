import fc from "fast-check";
import { expect, test } from "vitest";
import { keepAlive, sseBye, sseFrame } from "./sse.ts";

test("each kind of item has its frame", () => {
  expect(sseFrame({ kind: "hello", id: "7", isResumed: true }, 5)).toBe(
    'id: 7\nevent: hello\ndata: {"at":5,"resumed":true}\n\n',
  );
  expect(
    sseFrame({ kind: "event", id: "8", topic: "run:1", type: "changed", at: 3, data: { rev: 2 } }, 5),
  ).toBe('id: 8\nevent: changed\ndata: {"rev":2,"topic":"run:1","at":3}\n\n');
  expect(sseFrame({ kind: "reset", id: "9" }, 5)).toBe('id: 9\nevent: reset\ndata: {"at":5}\n\n');
  expect(sseBye(5, 1_000)).toBe('event: bye\ndata: {"at":5,"retryMs":1000}\n\n');
  expect(keepAlive).toMatch(/^:.*\n\n$/);
});

test("no data and no type can forge a frame", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (type, value) => {
      const frame = sseFrame({ kind: "event", id: "1", topic: "t", type, at: 0, data: { value } }, 0);
      const lines = frame.split(/\r\n|\r|\n/);
      expect(lines.map((line) => line.split(":")[0])).toEqual(["id", "event", "data", "", ""]);
      expect(JSON.parse(lines[2]!.slice(6)).value).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
