import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines } from "./line-reader.ts";

function reader(cap: number) {
  const lines: string[] = [];
  const heads: string[] = [];
  const long: { bytes: number; tail: string }[] = [];
  let floods = 0;
  const { push } = readLines(cap, {
    line: (text) => void lines.push(text),
    overflow: (head) => void heads.push(head),
    overflowEnd: (line) => void long.push(line),
    flood: () => {
      floods++;
    },
  });
  return { push, lines, heads, long, floods: () => floods };
}

test("chunk borders make no difference", () => {
  const bytes = Buffer.from('{"a":1}\r\n\n{"ü":"—"}\nlast\n');
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
      const { push, lines } = reader(1_000);
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      for (const [at, edge] of edges.slice(1).entries()) push(bytes.subarray(edges[at], edge));
      expect(lines).toEqual(['{"a":1}', '{"ü":"—"}', "last"]);
    }),
  );
});

test("a line past the cap is told by its edges, and the next line is whole", () => {
  const { push, lines, heads, long } = reader(1_000);
  push(Buffer.from(`{"jsonrpc":"2.0","id":7,"result":"${"x".repeat(3_000)}"}\n{"next":1}\n`));
  expect(long).toHaveLength(1);
  expect([heads[0]!.length, long[0]!.tail.length]).toEqual([512, 512]);
  expect(heads[0]!.startsWith('{"jsonrpc":"2.0","id":7')).toBe(true);
  expect(long[0]!.tail.endsWith('"}')).toBe(true);
  expect(lines).toEqual(['{"next":1}']);
});

test("a line without end is given up after four caps", () => {
  const { push, floods } = reader(1_000);
  for (let at = 0; at < 100; at++) push(Buffer.alloc(500, "x"));
  expect(floods()).toBe(1);
});
