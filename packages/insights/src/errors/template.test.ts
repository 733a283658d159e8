/** Each thing that changes from call to call, by itself, and what looks like it and stays. */
import { expect, test } from "vitest";
import { templateOf } from "./template.ts";

const vocabulary = new Set(["user_id", "task_2fa"]);
const json = (value: unknown) => JSON.stringify(value);

test.each<[text: string, template: string]>([
  // JSON is told by the few values that say something, at most three, at most three levels deep.
  [json({ message: "No", detail: "Why", code: 7, reason: "Since" }), "no | why | since"],
  [json({ error: { message: "No", hint: "x" } }), "no"],
  [json({ error: { error: { message: "No" } } }), "no"],
  [json({ error: { error: { error: { message: "No" } } } }), "{<str>:{<str>:{<str>:{<str>:<str>}}}}"],
  [json([{ message: "One" }, { message: "Two" }]), "one | two"],
  [json({ hint: "x" }), "{<str>:<str>}"],
  ["{ not json", "{ not json"],
  // Moments.
  ["at 2026-01-31T10:20:30Z it broke", "at <time> it broke"],
  ["at 2026-01-31 10:20 it broke", "at <time> it broke"],
  ["since 2026-01-31", "since <date>"],
  ["since 31/01/2026", "since <date>"],
  ["at 10:20:30.5 it broke", "at <time> it broke"],
  // The way to an error is left out.
  ["Boom at work (/srv/a/b.js:10:5) at next (/srv/a/c.js:1:1)", "boom"],
  ['Traceback (most recent call last): File "/a/b.py" KeyError: gone', "keyerror: gone"],
  // Places.
  ["GET https://a.example.com/v1?q=1 failed", "get <url> failed"],
  ["Bearer abc.def is wrong", "<secret> is wrong"],
  ["a@example.com is unknown", "<email> is unknown"],
  ["no route to 10.0.0.7:5432", "no route to <ip>"],
  ["cannot open /srv/data/a.db", "cannot open <path>"],
  ["cannot open data/sub/a.db", "cannot open <path>"],
  ["either a/b", "either a/b"],
  // Quotations and ids, but for words of the contract.
  ["it's 'late' for \u201clunch\u201d", "it's <str> for <str>"],
  ['"user_id" is not `there`', '"user_id" is not <str>'],
  ["order ord_12ab is gone", "order <id> is gone"],
  ["task_2fa is gone", "task_2fa is gone"],
  ["hash 0xff and deadbeef01", "hash <hex> and <hex>"],
  ["the facade is decided", "the facade is decided"],
  // Numbers, but for a status or a code.
  ["took 1,200 ms for 3 books", "took <n> for <n> books"],
  ["status 503", "status 503"],
  ["error 12", "error <n>"],
  ["code: -32602", "code: -32602"],
  ["code 123456", "code <n>"],
  ["a 1, 2, 3 b", "a <n> b"],
  ["0zzzzzzzzzzzzzzzzzzzzzzzzzzzzz gone", "<id> gone"],
  ["Ended!?.", "ended"],
  ["Ended. ;", "ended"],
])("%s", (text, template) => {
  expect(templateOf(text, vocabulary)).toBe(template);
});

test("of a long text the beginning is kept", () => {
  expect(templateOf("word ".repeat(1_000), vocabulary)).toHaveLength(200);
  expect(templateOf(`${" ".repeat(2_000)}gone`, vocabulary)).toBe("");
});
