import type { Tool } from "@fettle/mcp";
import { expect, it } from "vitest";
import { type DraftMix, draftCases } from "./draft-cases.ts";
import { suiteFileSchema } from "./suite-file.ts";

const reads = { annotations: { readOnlyHint: true } };
const tools = [
  {
    name: "find_book",
    ...reads,
    inputSchema: {
      type: "object",
      properties: { title: { type: "string", examples: ["Emma"] } },
      required: ["title"],
    },
    outputSchema: { type: "object", properties: { isbn: { type: "string" } } },
  },
  {
    name: "price_of",
    ...reads,
    inputSchema: { type: "object", properties: { isbn: { type: "string" } }, required: ["isbn"] },
  },
  { name: "delete_all", annotations: { destructiveHint: true }, inputSchema: { type: "object" } },
] as Tool[];
const none: DraftMix = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };
const draft = (mix: Partial<DraftMix>, options?: { varyStyles: boolean }) =>
  draftCases([{ serverName: "Shop", tools }], { ...none, ...mix }, options);
const promptsOf = ({ cases }: ReturnType<typeof draft>) =>
  cases.map(({ steps }) => steps.flatMap((step) => (step.kind === "prompt" ? [step.prompt] : [])));

it.each<[string, Partial<DraftMix>, string[][]]>([
  [
    "simple",
    { simple: 3 },
    [['Find the book with title "Emma".'], ['Get the price with isbn "example".'], ["Delete all."]],
  ],
  [
    "multiTool",
    { multiTool: 1 },
    [['Find the book with title "Emma", then get the price for what you found.']],
  ],
  [
    "multiTurn",
    { multiTurn: 1 },
    [['Find the book with title "Emma".', 'Get the price with isbn "example".']],
  ],
  ["negative", { negative: 1 }, [["Who wrote the novel Moby Dick?"]]],
])("makes %s cases", (_, mix, prompts) => {
  expect(promptsOf(draft(mix))).toEqual(prompts);
});

it("makes the same of the same, each a case that a suite file takes, and calls nothing that may harm", () => {
  const mix = { simple: 3, multiTool: 1, multiTurn: 2, negative: 2 };
  expect(draft(mix)).toEqual(draft(mix));
  const { cases } = draft(mix);
  const file = {
    schemaVersion: "1",
    mode: "agentWorkflow",
    reportingMode: "standard",
    suite: { id: "s", name: "S" },
    target: { servers: [{ name: "Shop" }] },
    defaults: { model: "fettle/rules-1", repetitions: 1, passThreshold: 1, validity: {} },
    cases: cases.map((item, index) => ({ ...item, id: `c${index}` })),
  };
  expect(suiteFileSchema.safeParse(file).error?.issues ?? []).toEqual([]);
  const harmful = cases.filter(
    (item) => !item.isNegativeTest && JSON.stringify(item.steps).includes("delete_all"),
  );
  expect(harmful.map(({ disabled }) => disabled)).toEqual([true, true]);
});

it("says what it could not make", () => {
  expect(draft({ simple: 9, complex: 1 }).skipped).toEqual([
    { title: "simple", reason: "The tools are enough for 3 of 9." },
    { title: "complex", reason: "Rules make no complex cases: that takes a model." },
  ]);
});

it("says the same in several ways where that is asked for", () => {
  expect(new Set(promptsOf(draft({ negative: 3 }, { varyStyles: true })).flat()).size).toBe(3);
});
