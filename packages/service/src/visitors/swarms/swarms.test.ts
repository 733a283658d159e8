import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let key: string;
let project: string;
let elsewhere: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  key = await makeKey(db, organization, await makeMember(db, organization, "member"));
  project = `/api/v1/projects/${await makeProject(db, organization)}`;
  elsewhere = `/api/v1/projects/${await makeProject(db, organization)}`;
});
afterAll(() => service.close());

const call = (path: string, method = "GET", body?: object, headers?: Record<string, string>) =>
  service.call(`${project}${path}`, { method, key, ...(body && { body }), ...(headers && { headers }) });
const budget = { sessionsPerTarget: 2, maxTurns: 5 };
const persona = async (name = "Ann") => (await call("/personas", "POST", { name, role: "Buyer" })).body;

it("keeps a persona as it was written, under a slug of its own that a new name does not change", async () => {
  const wanted = { name: "Béa, 34", role: "Buyer", notes: "In a hurry", avatarShape: 5, avatarPalette: 0 };
  const { status, body } = await call("/personas", "POST", wanted);
  const at = expect.any(Number);
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^per_/),
      projectId: project.split("/").at(-1),
      slug: "bea-34",
      name: "Béa, 34",
      role: "Buyer",
      notes: "In a hurry",
      source: "manual",
      avatar: { shape: 5, palette: 0 },
      createdAt: at,
      updatedAt: at,
    },
  ]);
  const second = await call("/personas", "POST", wanted);
  expect(second.body.slug).toMatch(/^bea-34-\w{6}$/);
  const renamed = await call(`/personas/${body.id}`, "PATCH", { name: "Bea" });
  expect(renamed.body).toMatchObject({ name: "Bea", slug: "bea-34", notes: "In a hurry" });
  expect((await call(`/personas/${body.id}`)).body).toEqual(renamed.body);
});

it("makes one persona of a request that is repeated with its key", async () => {
  const send = (name: string) =>
    call("/personas", "POST", { name, role: "Buyer" }, { "idempotency-key": "once" });
  const first = await send("Once");
  expect((await send("Once")).body.id).toBe(first.body.id);
  expect((await send("Twice")).status).toBe(409);
});

it("deletes no persona that a journey is made by", async () => {
  const { id } = await persona("Needed");
  const journey = await call("/journeys", "POST", { goal: "Find a book", personaId: id, ...budget });
  const refused = await call(`/personas/${id}`, "DELETE");
  expect([refused.status, refused.body.details.code]).toEqual([409, "PERSONA_IN_USE"]);
  expect((await call(`/journeys/${journey.body.id}`, "DELETE")).body).toMatchObject({
    id: journey.body.id,
    archived: true,
  });
  expect((await call(`/personas/${id}`, "DELETE")).body).toMatchObject({ id, deleted: true });
  expect((await call(`/personas/${id}`)).status).toBe(404);
});

it("keeps a journey whole: whom, what, how often, its rubric by stable ids, and who judges", async () => {
  const { id: personaId } = await persona();
  const swarm = (await call("/swarms", "POST", { name: "Spring", description: "", ...budget })).body;
  expect(swarm).toMatchObject({ name: "Spring", description: null, environmentIds: [], ...budget });
  const made = await call("/journeys", "POST", {
    goal: "Find a book about bees",
    personaId,
    swarmId: swarm.id,
    ...budget,
    rubric: [
      { predicate: { type: "noToolErrors" } },
      { id: "polite", label: "Ends well", predicate: { type: "finalAssistantMessageNonEmpty" } },
    ],
    judge: { threshold: 0.7 },
  });
  expect(made.body).toMatchObject({
    name: "Find a book about bees",
    swarmId: swarm.id,
    environmentIds: [],
    rubric: [
      { id: expect.any(String), predicate: { type: "noToolErrors" } },
      { id: "polite", label: "Ends well" },
    ],
    judge: { model: null, threshold: 0.7 },
  });
  const path = `/journeys/${made.body.id}`;
  const changed = await call(path, "PATCH", { rubric: made.body.rubric.slice(0, 1), judge: null });
  expect(changed.body.rubric).toEqual(made.body.rubric.slice(0, 1));
  expect("judge" in changed.body).toBe(false);
  expect((await call(`/swarms/${swarm.id}`, "PATCH", { sessionsPerTarget: 9, maxTurns: 9 })).status).toBe(
    200,
  );
  expect((await call(path)).body).toMatchObject(budget);
  expect((await call(`/journeys?swarmId=${swarm.id}`)).body.items).toHaveLength(1);
  await call(`/swarms/${swarm.id}`, "DELETE");
  expect((await call("/swarms")).body.items).toEqual([]);
  expect((await call(path)).status).toBe(200);
});

it.each([
  ["persona", "/personas", { name: "Ann", role: "Buyer" }, { notes: "mine" }, { notes: "theirs" }],
  ["swarm", "/swarms", { name: "Spring", ...budget }, { name: "Mine" }, { name: "Theirs" }],
  ["journey", "/journeys", { goal: "Find a book", ...budget }, { name: "Mine" }, { name: "Theirs" }],
])(
  "changes no %s that is another than whoever changes it has read",
  async (kind, list, wanted, mine, theirs) => {
    const whose = kind === "journey" ? { personaId: (await persona()).id } : {};
    const made = (await call(list, "POST", { ...wanted, ...whose })).body;
    const path = `${list}/${made.id}`;
    const read = { expectedUpdatedAt: made.updatedAt };
    expect((await call(path, "PATCH", read)).status, "nothing is changed by that alone").toBe(400);
    // Both have read the same: one is first, and the other is told.
    const both = await Promise.all(
      [mine, theirs].map((change) => call(path, "PATCH", { ...change, ...read })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [first, second] = both.toSorted((one, other) => one.status - other.status);
    expect(second!.body.details).toMatchObject({
      code: `${kind.toUpperCase()}_CHANGED`,
      currentUpdatedAt: first!.body.updatedAt,
    });
    expect((await call(path)).body).toEqual(first!.body);
    expect((await call(path, "PATCH", mine)).status, "who says nothing writes over it").toBe(200);
  },
);

const refusals: [string, object, string][] = [
  ["an unknown persona", { personaId: "per_none" }, "body.personaId"],
  ["an unknown swarm", { swarmId: "swm_none" }, "body.swarmId"],
  ["no environments in a list", { environmentIds: [] }, "body.environmentIds"],
  ["an unknown environment", { environmentIds: ["env_none"] }, "body.environmentIds"],
  ["an unknown client", { hostIds: ["clt_none"] }, "body.hostIds"],
  ["too many sessions", { sessionsPerTarget: 101 }, "body.sessionsPerTarget"],
  ["no turn", { maxTurns: 0 }, "body.maxTurns"],
  ["a check that nobody knows", { rubric: [{ predicate: { type: "magic" } }] }, "body.rubric.0.predicate"],
  [
    "a criterion twice",
    {
      rubric: [
        { id: "a", predicate: { type: "noToolErrors" } },
        { id: "a", predicate: { type: "noToolErrors" } },
      ],
    },
    "body.rubric.1.id",
  ],
  ["a blank goal", { goal: " " }, "body.goal"],
];
it.each(refusals)("makes no journey with %s", async (_, spoiled, path) => {
  const { id: personaId } = await persona();
  const { status, body } = await call("/journeys", "POST", {
    goal: "Find",
    personaId,
    ...budget,
    ...spoiled,
  });
  expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
  expect(JSON.stringify(body.details)).toContain(path);
});

it("changes how often and how long only together, and nothing when nothing is said", async () => {
  const { id } = (await call("/swarms", "POST", { name: "Pair", ...budget })).body;
  const half = await call(`/swarms/${id}`, "PATCH", { maxTurns: 3 });
  expect(half.status).toBe(400);
  expect((await call(`/swarms/${id}`, "PATCH", {})).status).toBe(400);
});

it("lists a page at a time, the newest first, and shows nothing to another project", async () => {
  const made: string[] = [];
  for (const name of ["One", "Two", "Three"]) made.push((await persona(name)).id);
  const first = (await call("/personas?limit=2")).body;
  expect(first.items.map(({ id }: { id: string }) => id)).toEqual([made[2], made[1]]);
  const second = (await call(`/personas?limit=2&cursor=${first.nextCursor}`)).body;
  expect(second.items[0].id).toBe(made[0]);
  expect((await call("/personas?cursor=nonsense")).body.details.code).toBe("BAD_CURSOR");
  const other = await service.call(`${elsewhere}/personas/${made[0]}`, { key });
  expect(other.status).toBe(404);
});
