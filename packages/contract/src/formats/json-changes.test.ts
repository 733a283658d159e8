import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactNumbers } from "./exact-numbers.ts";
import { jsonChanges } from "./json-changes.ts";

const json = () => fc.jsonValue({ maxDepth: 3 });

describe("what is different", () => {
  it.each([
    ["nothing", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ["a value", { a: 1 }, { a: 2 }, [{ path: "/a", kind: "changed", before: 1, after: 2 }]],
    ["a member that came", {}, { "a/b~": 1 }, [{ path: "/a~1b~0", kind: "added", after: 1 }]],
    ["a member that went", [1, 2], [1], [{ path: "/1", kind: "removed", before: 2 }]],
    [
      "a list that became an object",
      { a: [] },
      { a: {} },
      [{ path: "/a", kind: "changed", before: [], after: {} }],
    ],
    ["the whole", null, 1, [{ path: "", kind: "changed", before: null, after: 1 }]],
    [
      "a key that no object has by itself",
      JSON.parse('{"__proto__":1}'),
      {},
      [{ path: "/__proto__", kind: "removed", before: 1 }],
    ],
  ])("tells %s", (_, before, after, changes) => {
    expect(jsonChanges(before, after, 10)).toEqual({ changes, isCut: false });
  });

  it("sees a difference in the last of many digits", () => {
    const [before, after] = ["9007199254740993", "9007199254740992"].map((text) => parseExactNumbers(text));
    expect(jsonChanges(before, after, 10).changes).toHaveLength(1);
  });

  it("tells no more than was asked for, and says so", () => {
    const { changes, isCut } = jsonChanges({}, { a: 1, b: 2, c: 3 }, 2);
    expect([changes.length, isCut]).toEqual([2, true]);
  });

  it("finds none in a value and itself, and some exactly where two are different", () => {
    fc.assert(
      fc.property(json(), json(), (a, b) => {
        expect(jsonChanges(a, structuredClone(a), 5).changes).toEqual([]);
        const isDifferent = jsonChanges(a, b, 5).changes.length > 0;
        expect(isDifferent).toBe(jsonChanges(b, a, 5).changes.length > 0);
      }),
    );
  });
});
