import { afterAll, beforeAll, expect, it } from "vitest";
import { createServerGroup } from "../../servers/groups/server-groups.ts";
import { type JourneyBench, journeyBench } from "../../testing/swarms/journey-bench.ts";

let bench: JourneyBench;
beforeAll(async () => {
  bench = await journeyBench();
  bench.stub.tools = [
    {
      name: "search_books",
      description: "Search the catalogue",
      inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      annotations: { readOnlyHint: true },
    },
    { name: "place_order", description: "Order", inputSchema: { type: "object" } },
    {
      name: "empty_shelves",
      inputSchema: { type: "object" },
      annotations: { destructiveHint: true },
    },
  ] as never;
});
afterAll(() => bench[Symbol.asyncDispose]());

const persona = { name: "Ann", role: "Buyer" };
const drafting = (body: object, which = "personas") => bench.call("POST", `/${which}/generate`, body);
const search = {
  goal: 'Search the catalogue for "coffee"',
  suggestedChecks: [{ type: "toolCalledAtLeastOnce", toolName: "search_books" }],
};
const order = {
  goal: "Place the order",
  suggestedChecks: [{ type: "toolCalledAtLeastOnce", toolName: "place_order" }],
};

it("drafts by rules where the environment has no model, says what was left out, and stores nothing", async () => {
  const environmentId = await bench.environment();
  const one = await drafting({ environmentId });
  expect([one.status, one.body]).toMatchObject([
    200,
    {
      generationModel: "fettle/rules-1",
      persona: { name: "Ada" },
      journeys: [search, { ...order, caution: expect.stringContaining("place_order") }],
      skipped: [{ toolName: "empty_shelves" }],
    },
  ]);
  const slate = await drafting({
    environmentId,
    personaCount: 3,
    existingPersonas: [{ name: "Ada", role: "x" }],
  });
  expect(slate.body.personas.map((draft: { persona: { name: string } }) => draft.persona.name)).toEqual([
    "Ben",
    "Cleo",
    "Dev",
  ]);
  expect((await drafting({ environmentId, persona }, "journeys")).body.journeys).toMatchObject([
    search,
    order,
  ]);
  expect((await bench.call("GET", "/personas")).body.items).toEqual([]);
  expect((await bench.call("GET", "/journeys")).body.items).toEqual([]);
});

it("drafts from a server group by rules", async () => {
  const { app } = bench.service;
  const { projectId, people } = bench.world;
  const shops = { name: "Shops", serverIds: [bench.server.id] };
  const group = await createServerGroup(app, app.db, projectId, people.owner.userId, shops);
  const { body } = await drafting({ serverAttachmentId: group.id });
  expect(body).toMatchObject({ generationModel: "fettle/rules-1", journeys: [search, order] });
});

it("drafts by the environment's model, which knows the tools as data, and keeps only tools that are there", async () => {
  const environmentId = await bench.environment({ modelId: bench.stub.model });
  let asked = "";
  bench.stub.onModel = (_, body) => {
    asked = body;
    return JSON.stringify({
      personas: [
        {
          name: "Mo",
          role: "r".repeat(200),
          notes: "",
          journeys: [
            { name: "Look", goal: "Find a book", toolNames: ["search_books", "made_up"] },
            { name: "Clear", goal: "Have the shelves emptied", toolNames: ["empty_shelves"] },
            { name: "More", goal: "Than asked for", toolNames: [] },
          ],
        },
      ],
    });
  };
  const { status, body } = await drafting({ environmentId, journeyCount: 2, description: "Only bees" });
  expect([status, body]).toEqual([
    200,
    {
      generationModel: bench.stub.model,
      persona: { name: "Mo", role: "r".repeat(120), notes: "" },
      journeys: [
        { ...search, name: "Look", goal: "Find a book" },
        {
          name: "Clear",
          goal: "Have the shelves emptied",
          suggestedChecks: [{ type: "toolCalledAtLeastOnce", toolName: "empty_shelves" }],
          caution: "May destroy something: the server says so of empty_shelves.",
        },
      ],
    },
  ]);
  expect(asked).toContain("Only bees");
  bench.stub.onModel = () => "I would rather not.";
  const unread = await drafting({ environmentId, persona }, "journeys");
  expect([unread.status, unread.body.details.code]).toEqual([502, "DRAFTS_UNREADABLE"]);
  bench.stub.onModel = () => 400;
  expect((await drafting({ environmentId })).body.details.code).toBe("MODEL_REQUEST_REFUSED");
});

it.each([
  ["no ground", {}, 400],
  ["two grounds", { environmentId: "env_1", serverAttachmentId: "sg_1" }, 400],
  ["too many personas", { environmentId: "env_1", personaCount: 13 }, 400],
  ["too many journeys", { environmentId: "env_1", journeyCount: 6 }, 400],
  ["an environment that is not there", { environmentId: "env_none" }, 404],
  ["a group that is not there", { serverAttachmentId: "sg_none" }, 400],
])("refuses %s", async (_, body, status) => {
  expect((await drafting(body)).status).toBe(status);
});
