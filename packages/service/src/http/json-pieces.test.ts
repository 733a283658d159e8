import { parseExactNumbers } from "@fettle/contract/formats";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isLargeJson, jsonPieces } from "./json-pieces.ts";

async function joined(value: unknown, length: number): Promise<string> {
  let text = "";
  for await (const piece of jsonPieces(value, { length, turn: () => Promise.resolve() })) text += piece;
  return text;
}

it("writes what JSON.stringify writes, whatever the value", async () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 5 }),
    fc.object({
      withDate: true,
      withSparseArray: true,
      maxDepth: 3,
      values: [fc.string({ unit: "binary" })],
    }),
  );
  await fc.assert(
    fc.asyncProperty(anything, fc.integer({ min: 1, max: 60 }), async (value, length) => {
      expect(await joined(value, length)).toBe(JSON.stringify(value));
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  { holds: "exact numbers", value: parseExactNumbers('{"id":12345678901234567890,"name":"n"}') },
  {
    holds: "dates and what is not written",
    value: { at: new Date(0), gone: undefined, list: [undefined, 1] },
  },
  { holds: "a member called __proto__", value: JSON.parse('{"__proto__":{"a":[1,2,3]},"b":"long enough"}') },
  { holds: "pairs of surrogates and halves", value: ["😀😀😀😀", "\ud83d", "a\ude00b\ud83d"] },
])("writes $holds as JSON.stringify does", async ({ value }) => {
  for (let length = 1; length < 30; length++) expect(await joined(value, length)).toBe(JSON.stringify(value));
});

it("tells a large answer from a small one without looking through all of it", () => {
  let looks = 0;
  const rows = Array.from({ length: 1_000 }, () => ({
    get text() {
      looks += 1;
      return "a hundred characters".repeat(5);
    },
  }));
  expect(isLargeJson({ rows }, 1_000)).toBe(true);
  expect(looks).toBeLessThan(20);
  expect(isLargeJson({ rows: rows.slice(0, 5) }, 1_000)).toBe(false);
});
