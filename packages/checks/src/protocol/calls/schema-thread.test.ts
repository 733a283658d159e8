import { expect, test } from "vitest";
import { judgeContentApart } from "./schema-thread.ts";

/** Each level refers twice to the next. */
const exploding = {
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      n === 39 ? {} : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  ),
};
/** Refers, so that it goes to a thread. */
const counting = { $ref: "#/$defs/count", $defs: { count: { properties: { count: { type: "integer" } } } } };

test("a schema that explodes is given up, and the process goes on meanwhile", async () => {
  const order: string[] = [];
  const judged = judgeContentApart(exploding, {}).then((verdict) => {
    order.push("judged");
    return verdict;
  });
  // What anybody else in this process does: many turns, one after another.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  order.push("others");
  expect((await judged).faults).toEqual([
    "#: the schema takes more than 2000 ms to apply; it was not evaluated",
  ]);
  expect(order).toEqual(["others", "judged"]);
});

test("many ask at once, more than there are threads, and each gets its own answer", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => judgeContentApart(counting, { count: n % 2 ? n : String(n) })),
  );
  expect(answers.map(({ faults }) => faults.length > 0)).toEqual(
    Array.from({ length: 12 }, (_, n) => n % 2 === 0),
  );
});

test("a schema that fills the memory costs the thread, not the process", async () => {
  // Every one of two hundred names fails every one of as many branches, and each failure is remembered.
  const names = Array.from({ length: 400 }, (_, n) => [`n${n}`, "text"]);
  const branch = { additionalProperties: { type: "integer" } };
  const greedy = { allOf: Array.from({ length: 20_000 }, () => branch) };
  const { faults } = await judgeContentApart(greedy, Object.fromEntries(names));
  expect(faults.length).toBeGreaterThan(0);
  expect(await judgeContentApart(counting, { count: 1 })).toEqual({ faults: [], unchecked: [] });
});
