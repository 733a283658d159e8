import { terms, verbClasses } from "@fettle/contract";
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
  tool("sort_books", { properties: { by: { type: "array" } }, required: ["by"] }),
];
const servers = [{ serverName: "Bookshop", tools }];

test("journeys say what a person would, name no tool, and are checked by the tools they take", () => {
  const { journeys } = draftJourneys(servers, 10);
  expect(journeys).toEqual([
    {
      name: "Search the catalogue",
      goal: 'Search books about "bees"',
      suggestedChecks: [{ type: "toolCalledAtLeastOnce", toolName: "search_books" }],
    },
    {
      name: "Get shelf info",
      goal: 'Get shelf info with level "upper"',
      suggestedChecks: [{ type: "toolCalledAtLeastOnce", toolName: "shelfInfo" }],
    },
    {
      name: "Search the catalogue, then Get book",
      goal: 'Search books about "bees", then get book for the first one',
      suggestedChecks: [
        { type: "toolCalledAtLeastOnce", toolName: "search_books" },
        { type: "toolCalledAtLeastOnce", toolName: "get_book" },
      ],
    },
  ]);
  for (const { goal } of journeys) {
    expect(verbClasses(terms(goal.split(" ")[0]!)).size).toBeGreaterThan(0);
    for (const { name } of tools) expect(goal).not.toContain(name);
  }
});

test("tools that may do harm, need what nobody knows or cannot be said are left out, each with its reason", () => {
  expect(draftJourneys(servers, 1).skipped).toEqual([
    { toolName: "get_book", reason: expect.stringContaining("a real bookId") },
    { toolName: "place_order", reason: expect.stringContaining("only reads") },
    { toolName: "sort_books", reason: expect.stringContaining("in a sentence") },
  ]);
});

test("a second persona goes on where the journeys of the first ended", () => {
  const names = (from: number) => draftJourneys(servers, 2, from).journeys.map(({ name }) => name);
  expect(names(2)).toEqual(["Search the catalogue, then Get book", "Search the catalogue"]);
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
