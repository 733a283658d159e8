import { isExactNumber, parseExactNumbers } from "@fettle/contract/formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInSlices } from "./json-slices.ts";

const tiny = { length: 8, turn: () => Promise.resolve() };

async function outcomeOf(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() };
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : error;
  }
}

describe("parsing in slices", () => {
  it("gives what JSON.parse gives, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), fc.integer({ min: 2, max: 40 }), async (text, length) => {
        expect(await parseInSlices(text, { ...tiny, length })).toEqual(parseExactNumbers(text));
      }),
      { numRuns: 500 },
    );
  });

  it("cuts no escape of a long string in two, wherever it stands", async () => {
    const escapes = ["\\u00e9", "\\n", "\\\\", "\\ud83d\\ude00", "\\\\u00e9", "x\\u0041"];
    for (const escaped of escapes) {
      for (let before = 0; before < 8; before++) {
        const text = `["${"a".repeat(before)}${escaped.repeat(9)}"]`;
        expect(await parseInSlices(text, tiny)).toEqual(JSON.parse(text));
      }
    }
  });

  it("refuses what JSON.parse refuses: one character changed, dropped or added anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom(...'"\\[]{},:0 \n', ""),
        fc.boolean(),
        async (text, where, put, isAdded) => {
          const at = where % text.length;
          const changed = text.slice(0, at) + put + text.slice(isAdded ? at : at + 1);
          expect([changed, await outcomeOf(() => parseInSlices(changed, tiny))]).toEqual([
            changed,
            await outcomeOf(() => parseExactNumbers(changed)),
          ]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    "[1,2,3,4,5,6,7,8,]",
    "[,1,2,3,4,5,6,7,8]",
    '{"a":1,"b":2,"c":3,}',
    '{"a":[1,2,3,4,5,6,7]"b":2}',
    '{"a":[1,2,3,4,5,6,7] 9,"b":2}',
    '{"x":1 "a":[1,2,3,4,5,6,7]}',
    '{"x":1,[1,2,3,4,5,6,7]}',
    '{"x":{"y":1,"a":[1,2,3,4,5,6,7]}',
    '["a long string" "and another one of them"]',
    '{"a":"a long string" "and another one of them"}',
    '{"a":"a long string with a raw \n line break"}',
    '["a long string with a bad \\x escape in it"]',
    '["a long string with half an escape \\u00"]',
    '{"a" "a long string without a colon"}',
    "[1,2,3,4,5,6,7,8}",
    "[1,2,3,4,5,6,7,8] x",
    "[1,2,3,4,5,6,7,8][1,2,3,4,5,6,7,8]",
    "[1,2,3,4,5,6,7,8],",
    '["a long string that never ends',
    '[\u00a0"a long string after a space that is none"]',
    "\ufeff[1,2,3,4,5,6,7,8]",
  ])("refuses %j", async (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(parseInSlices(text, tiny)).rejects.toThrow(SyntaxError);
  });

  it("keeps __proto__ as a member, the last of two equal keys, and long numbers exact", async () => {
    const text = '{"__proto__":[1,2,3,4,5,6,7],"twice":1,"twice":[9,9,9,9,9,9],"id":12345678901234567890}';
    const value = (await parseInSlices(text, tiny)) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "twice", "id"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.twice).toEqual([9, 9, 9, 9, 9, 9]);
    expect(isExactNumber(value.id)).toBe(true);
    expect(JSON.stringify(value)).toContain("12345678901234567890");
  });

  it("lets others have their turn inside a long string too", async () => {
    let turns = 0;
    const turn = async () => {
      turns += 1;
    };
    const long = ['a "quoted" word\\ü\u0001😀 '.repeat(1_000), "and no quote at all ".repeat(1_000)];
    for (const value of [long, { first: long[0], 'sec"ond': long[1] }]) {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        expect(await parseInSlices(text, { length: 1_000, turn })).toEqual(value);
      }
    }
    expect(turns).toBeGreaterThan(160);
  });

  it("lets others have their turn after every slice", async () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const text = JSON.stringify({ result: { rows } });
    let turns = 0;
    const turn = async () => {
      turns += 1;
    };
    expect(await parseInSlices(text, { length: 1_000, turn })).toEqual({ result: { rows } });
    expect(turns).toBeGreaterThan(text.length / 1_000);
  });
});
