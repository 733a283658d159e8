import type { Tool } from "@fettle/mcp";
import { expect, test } from "vitest";
import { draftSuite } from "./draft-suite.ts";

const reads = { annotations: { readOnlyHint: true } };

test.each<[string, Partial<Tool>, RegExp | undefined]>([
  ["only reads", reads, undefined],
  ["says nothing", {}, /does not say that this tool only reads/],
  ["writes", { annotations: { readOnlyHint: false } }, /does not say that this tool only reads/],
  ["says both", { annotations: { readOnlyHint: true, destructiveHint: true } }, /destroys something/],
  ["runs only as a task", { ...reads, execution: { taskSupport: "required" } }, /only as a task/],
  ["may run as a task", { ...reads, execution: { taskSupport: "optional" } }, undefined],
  [
    "needs what nobody knows",
    { ...reads, inputSchema: { type: "object", required: ["orderId"] } },
    /a real orderId/,
  ],
])("the case of a tool that %s is enabled only where a call is safe, and says why not", (_, facts, why) => {
  const tool: Tool = { name: "it", inputSchema: { type: "object" }, ...facts };
  const names = { serverName: "s", suiteId: "s_1", suiteName: "S", model: "fettle/rules-1" };
  const [drafted] = draftSuite([tool], names).cases;
  expect(drafted!.disabled ?? false).toBe(why !== undefined);
  if (why) expect(drafted!.intent).toMatch(why);
});

const shelf = [
  {
    name: "find_title",
    description: "Looks through the catalogue of the shop for novels",
    ...reads,
    inputSchema: {
      type: "object",
      properties: { words: { type: "string", examples: ["bees"] } },
      required: ["words"],
    },
    outputSchema: { type: "object", properties: { isbn: { type: "string" } } },
  },
  {
    name: "stockLevel",
    description: "Tells how many copies are left.",
    ...reads,
    inputSchema: { type: "object", properties: { isbn: { type: "string" } }, required: ["isbn"] },
  },
  {
    name: "print_env",
    description: "Print all environment variables",
    ...reads,
    inputSchema: { type: "object" },
  },
  { name: "gibber", description: "Fnord.", ...reads, inputSchema: { type: "object" } },
] as Tool[];
const { cases } = draftSuite(shelf, {
  serverName: "s",
  suiteId: "s_1",
  suiteName: "S",
  model: "fettle/rules-1",
});
const asked = cases.map(({ id, steps }) => [
  id,
  steps.flatMap((step) => (step.kind === "prompt" ? step.prompt : [])),
]);

test("cases ask in a user's words, name no tool, and take two tools and none, too", () => {
  expect(asked).toEqual([
    ["c_find_title", ['Look through the catalogue of the shop for novels with words "bees".']],
    ["c_stockLevel", ['Tell how many copies are left with isbn "example".']],
    ["c_print_env", ["Print all environment variables."]],
    ["c_gibber", ["Get the gibber."]],
    [
      "c_two-tools",
      [
        'Look through the catalogue of the shop for novels with words "bees", then tell how many copies are left for what you found.',
      ],
    ],
    ["c_no-tool", ["Who wrote the novel Moby Dick?"]],
    ["c_no-tool-2", ["Write me two lines about rain in autumn."]],
  ]);
  for (const { name } of shelf.filter(({ name }) => name !== "gibber"))
    expect(JSON.stringify(asked.map(([, said]) => said))).not.toContain(name);
});

test("a tool that may show credentials is not called by a draft that nobody has read", () => {
  expect(cases.find(({ id }) => id === "c_print_env")).toMatchObject({
    disabled: true,
    intent: expect.stringContaining("may show what is in the environment"),
  });
});

test("a question that a tool would be called for is none that no tool is of use for", () => {
  const novels = {
    name: "wrote",
    description: "Who wrote which novel",
    ...reads,
    inputSchema: { type: "object" },
  };
  const { cases } = draftSuite([novels] as Tool[], {
    serverName: "s",
    suiteId: "s",
    suiteName: "S",
    model: "m",
  });
  const negative = cases.filter(({ isNegativeTest }) => isNegativeTest).map(({ title }) => title);
  expect(negative).toHaveLength(2);
  expect(negative).not.toContain("Says who wrote a novel without calling a tool");
});

test("of several sentences the one is asked that only the description answers", () => {
  const tool = {
    name: "get_forecast",
    description: "Get the forecast. Show the weather of tomorrow.",
    ...reads,
    inputSchema: { type: "object" },
  };
  const { cases } = draftSuite([tool] as Tool[], {
    serverName: "s",
    suiteId: "s",
    suiteName: "S",
    model: "m",
  });
  expect(cases[0]!.steps[0]).toMatchObject({ prompt: "Show the weather of tomorrow." });
});
