import { expect, test } from "vitest";
import { filterEntries, type PaletteEntry } from "./palette-entries.ts";

const entry = (group: PaletteEntry["group"], label: string, about = ""): PaletteEntry => ({
  id: label,
  group,
  label,
  about,
  run: () => {},
});

const entries = [
  entry("Actions", "Create key", "Make keys for CI"),
  entry("Pages", "Projects", "Every project"),
  entry("Pages", "API keys", "Make and revoke keys"),
  entry("Commands", "Show keyboard shortcuts"),
];
const labels = (typed: string) => filterEntries(entries, typed).map(({ label }) => label);

test("nothing typed shows everything, in its order", () => {
  expect(labels("  ")).toEqual(entries.map(({ label }) => label));
});

test("what there may be hundreds of waits for a word, and is not listed without end", () => {
  const tools = Array.from({ length: 500 }, (_, index) => ({
    ...entry("Tools", `tool_${index}`),
    onlyTyped: true as const,
  }));
  expect(filterEntries([...entries, ...tools], "")).toEqual(entries);
  const found = filterEntries([...entries, ...tools], "tool_");
  expect(found.length).toBeGreaterThan(10);
  expect(found.length).toBeLessThan(100);
  expect(filterEntries([...entries, ...tools], "tool_499")[0]?.label).toBe("tool_499");
});

test("every word has to be found", () => {
  expect(labels("api key")).toEqual(["API keys"]);
  expect(labels("api nothing")).toEqual([]);
});

test("a group stays together, led by its best entry", () => {
  expect(labels("pro")).toEqual(["Projects"]);
  const groups = filterEntries(entries, "key").map(({ group }) => group);
  expect(groups).toEqual([...new Set(groups)].flatMap((group) => groups.filter((each) => each === group)));
});

test("a label that begins with the word beats one that only mentions it", () => {
  expect(labels("make")[0]).toBe("Create key");
  expect(labels("show")[0]).toBe("Show keyboard shortcuts");
});
