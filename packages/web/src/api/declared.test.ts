import { beforeEach, expect, test, vi } from "vitest";
import { declaredOf, setDeclared } from "./declared.ts";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  });
});
let count = 0;
/** Another server each time, because a page keeps what it has read. */
const stored = (value: unknown) => {
  const id = `srv_${count++}`;
  if (value !== undefined) kept.set(`fettle:1:declared:${id}`, JSON.stringify(value));
  return declaredOf(id).get();
};
const everything = { sampling: true, elicitation: true, tasks: true, widgets: true, roots: [] };

test.each([
  [undefined, everything],
  [null, everything],
  ["text", everything],
  [{}, everything],
  [{ sampling: false }, { ...everything, sampling: false }],
  [{ elicitation: false }, { ...everything, elicitation: false }],
  [{ tasks: false }, { ...everything, tasks: false }],
  [{ widgets: false }, { ...everything, widgets: false }],
  [{ roots: null }, { ...everything, roots: null }],
  [
    { roots: [{ uri: "file:///a", name: "A" }, { uri: 7 }, null], more: 1 },
    { ...everything, roots: [{ uri: "file:///a" }] },
  ],
])("of %j in the browser's storage, connections declare %j", (value, declared) => {
  expect(stored(value)).toEqual(declared);
});

test("what was chosen is kept for the server, and for no other", () => {
  const declared = { ...everything, sampling: false };
  setDeclared("srv_a", declared);
  expect(declaredOf("srv_a").get()).toEqual(declared);
  expect(JSON.parse(kept.get("fettle:1:declared:srv_a") ?? "")).toEqual(declared);
  expect(declaredOf("srv_b").get()).toEqual(everything);
});
