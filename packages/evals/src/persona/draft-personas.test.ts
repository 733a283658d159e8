import type { Tool } from "@fettle/mcp";
import { expect, test } from "vitest";
import { draftJourneys, draftPersonas } from "./draft-personas.ts";

const tool = (name: string, input: object, rest: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: "object", ...input },
  annotations: { readOnlyHint: true },
  ...rest,
});
const tools = [
  tool(
    "search_books",
    { properties: { query: { type: "string", examples: ["bees"] } }, required: ["query"] },
    { title: "Search the catalogue", outputSchema: { type: "object", properties: { bookId: {} } } },
  ),
  tool("shelfInfo", { properties: { level: { enum: ["upper"] } }, required: ["level"] }),
  tool("get_book", { properties: { bookId: { type: "string" } }, required: ["bookId"] }),
  tool("place_order", {}, { annotations: {} }),
  tool("burn_books", {}, { annotations: { destructiveHint: true } }),
  tool("sort_books", { properties: { by: { type: "array" } }, required: ["by"] }),
];
const servers = [{ serverName: "Bookshop", tools }];

const called = (...toolNames: string[]) =>
  toolNames.map((toolName) => ({ type: "toolCalledAtLeastOnce", toolName }));

test("journeys say what a person would, name no tool, and are checked by the tools they take; what may change something comes last, with a word of caution", () => {
  const { journeys } = draftJourneys(servers, 10);
  expect(journeys).toEqual([
    {
      name: "Search the catalogue",
      goal: 'Search the catalogue for "bees"',
      suggestedChecks: called("search_books"),
    },
    {
      name: "Get the shelf info",
      goal: 'Get the shelf info with level "upper"',
      suggestedChecks: called("shelfInfo"),
    },
    {
      name: "Place the order",
      goal: "Place the order",
      suggestedChecks: called("place_order"),
      caution: "May change something: the server does not say what place_order does besides reading.",
    },
    {
      name: "Search the catalogue, then Get the book",
      goal: 'Search the catalogue for "bees", then get the book for the first one',
      suggestedChecks: called("search_books", "get_book"),
    },
  ]);
  for (const { goal } of journeys) for (const { name } of tools) expect(goal).not.toContain(name);
});

test("tools that say that they destroy, need what nobody knows or cannot be said are left out, each with its reason", () => {
  expect(draftJourneys(servers, 1).skipped).toEqual([
    { toolName: "get_book", reason: expect.stringContaining("a real bookId") },
    { toolName: "sort_books", reason: expect.stringContaining("in a sentence") },
    { toolName: "burn_books", reason: expect.stringContaining("destroys") },
  ]);
});

test.each([
  ["nothing", undefined, /May change something/],
  ["that it does not only read", { readOnlyHint: false }, /May change something/],
  ["that it only adds", { readOnlyHint: false, destructiveHint: false }, /May add something/],
  ["that it only reads", { readOnlyHint: true }, undefined],
  [
    "that it only reads and, which then means nothing, destroys",
    { readOnlyHint: true, destructiveHint: true },
    undefined,
  ],
])("a tool whose server says %s is drafted", (_, annotations, caution) => {
  const offered = [
    { serverName: "S", tools: [{ name: "count_bees", inputSchema: { type: "object" }, annotations }] },
  ];
  const { journeys, skipped } = draftJourneys(offered as never, 3);
  expect(skipped).toEqual([]);
  expect(journeys).toHaveLength(1);
  expect(journeys[0]!.caution).toEqual(caution && expect.stringMatching(caution));
});

test.each([
  [
    "Returns the sum of two numbers.",
    { a: {}, b: {} },
    'Get the sum of two numbers, "example" and "example"',
  ],
  [
    "Searches for nodes in the graph based on a query",
    { query: {} },
    'Search for nodes in the graph: "coffee"',
  ],
  [
    "Returns all pages that the given page links to. Draws a widget.",
    { url: { default: "https://a.example" } },
    'Get all pages that the page "https://a.example" links to',
  ],
  ["Returns all variables, helpful for debugging the MCP server", {}, "Get all variables"],
  [
    "Look a place up",
    { place: { description: "Where (e.g., 'Paris', 'Rome')" } },
    'Look a place up in "Paris"',
  ],
  ["DEPRECATED: use lookup_two instead", {}, "Lookup the place"],
  [undefined, { city: {}, weekNumber: { const: 4 } }, 'Lookup the place in "Paris" with week number 4'],
])("a tool that says %j is wanted in words that a person would use", (description, properties, goal) => {
  const lookup = { ...tool("lookup_place", { properties, required: Object.keys(properties) }), description };
  const { journeys } = draftJourneys([{ serverName: "S", tools: [lookup as Tool] }], 1);
  expect(journeys[0]!.goal).toBe(goal);
});

test("a second persona goes on where the journeys of the first ended", () => {
  const names = (from: number) => draftJourneys(servers, 2, from).journeys.map(({ name }) => name);
  expect(names(3)).toEqual(["Search the catalogue, then Get the book", "Search the catalogue"]);
  expect(draftJourneys([{ serverName: "Empty", tools: [] }], 3).journeys).toEqual([]);
});

test("personas are as many as asked for, the same every time, and none whose name is taken", () => {
  const drafted = draftPersonas(servers, 8, [{ name: "ada" }]);
  expect(drafted).toEqual(draftPersonas(servers, 8, [{ name: "Ada" }]));
  expect(new Set(drafted.map(({ name }) => name)).size).toBe(8);
  expect(drafted[0]).toMatchObject({ name: "Ben", role: "Uses Bookshop every day" });
  expect(draftPersonas([{ serverName: "x".repeat(500), tools: [] }], 1)[0]!.role.length).toBeLessThanOrEqual(
    120,
  );
});
