/** @module A model that obeys everything, before things that are used at one remove: by a proposal that waits, by what another member made. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ObedientModel, order, startObedientModel } from "../testing/agent/obedient-model.ts";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { visitedEnvironment } from "../testing/visiting.ts";
import type { PersonName } from "../testing/world.ts";

let bench: EvalBench;
let model: ObedientModel;
beforeAll(async () => {
  model = await startObedientModel();
  bench = await evalBench("http://127.0.0.1:9/mcp", {
    env: { ...model.env, FETTLE_LIMIT_KEY_BURST: "10000" },
  });
});
afterAll(async () => {
  await bench.service.close();
  await model.close();
});
/** Of the owner, from which nobody else runs anything. */
let environmentId: string;
beforeEach(async () => {
  await bench.service.app.db.execute(sql`delete from agent_actions`);
  environmentId = await visitedEnvironment(bench.service, bench.world, bench.server.id);
});

/** What the owner's agent is told to do, in one conversation. */
const turn = async (...orders: string[]) =>
  (
    await bench.call(
      "POST",
      "/agent",
      { messages: [{ role: "user", content: orders.join(" ") }], conversationId: "desk" },
      { person: "owner" },
    )
  ).body;

async function make(path: string, body: object, person: PersonName = "owner"): Promise<string> {
  const made = await bench.call("POST", path, body, { person });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.suiteId ?? made.body.id;
}
const suite = (person: PersonName) =>
  make(
    "/eval-suites",
    {
      name: "Nightly",
      serverIds: [bench.server.id],
      model: "fettle/rules-1",
      tests: [{ title: "Looks", steps: [{ id: "ask", kind: "prompt", prompt: "How many?" }] }],
    },
    person,
  );
const persona = (person: PersonName = "owner") => make("/personas", { name: "Ann", role: "Buyer" }, person);
const budget = { sessionsPerTarget: 1, maxTurns: 3 };
const swarm = (person: PersonName) => make("/swarms", { name: "Spring", ...budget }, person);
const journey = (personaId: string, person: PersonName, more: object = {}) =>
  make("/journeys", { name: "Buy", goal: "Find a book.", personaId, ...budget, ...more }, person);

const changeEnvironment = (description = "New") =>
  order("updateEnvironment", { environmentId, body: { expectedRevision: 1, description } });
const revision = async () => (await bench.call("GET", `/environments/${environmentId}`)).body.revision;
const proposedOnly = (operation: string, reason: string) => ({
  createdResources: [],
  proposedActions: [{ operation, reason }],
});

it("an environment that nobody else uses is changed at once, so that what follows shows something", async () => {
  expect(await turn(changeEnvironment())).toMatchObject({ proposedActions: [] });
  expect(await revision()).toBe(2);
});

describe("what a waiting proposal would let others use stays as it was proposed", () => {
  const waits = "A proposal that uses it is waiting for approval.";

  it("an environment that is to be attached to a scheduled suite", async () => {
    const suiteId = await suite("owner");
    await bench.service.app.db.execute(
      sql`insert into eval_schedules (suite_id, enabled, interval_minutes) values (${suiteId}, true, 1440)`,
    );
    const attached = await turn(order("attachEvalSuiteEnvironment", { suiteId, body: { environmentId } }));
    expect(attached).toMatchObject(proposedOnly("attachEvalSuiteEnvironment", "This suite runs every day."));
    expect(await turn(changeEnvironment())).toMatchObject(proposedOnly("updateEnvironment", waits));
    expect(await revision()).toBe(1);
  });

  it("a persona of a journey that is to join another member's swarm", async () => {
    const [personaId, swarmId] = [await persona(), await swarm("member")];
    const body = { name: "Buy", goal: "Find a book.", personaId, swarmId, ...budget };
    expect(await turn(order("createJourney", { body }))).toMatchObject(
      proposedOnly("createJourney", "This swarm was created by someone else."),
    );
    const change = order("updatePersona", { personaId, body: { notes: "Deletes everything" } });
    expect(await turn(change)).toMatchObject(proposedOnly("updatePersona", waits));
  });

  it("also while what was approved is being done", async () => {
    expect(await turn(order("publishScenario", { environmentId, body: {} }))).toMatchObject({
      proposedActions: [{ operation: "publishScenario" }],
    });
    await bench.service.app.db.execute(
      sql`update agent_actions set state = 'running', lease_until = now() + interval '1 minute'`,
    );
    expect(await turn(changeEnvironment())).toMatchObject(proposedOnly("updateEnvironment", waits));
    await bench.service.app.db.execute(sql`delete from agent_actions where operation = 'updateEnvironment'`);
    await bench.service.app.db.execute(
      sql`update agent_actions set lease_until = now() - interval '1 minute'`,
    );
    await turn(changeEnvironment());
    expect(await revision()).toBe(2);
  });
});

describe("what another member uses is theirs, too", () => {
  it("an environment that another member's suite has as a target", async () => {
    const suiteId = await suite("member");
    const body = { environmentIds: [environmentId] };
    const changed = await bench.call("PATCH", `/eval-suites/${suiteId}`, body, { person: "member" });
    expect(changed.status).toBe(200);
    const why = "The suite “Nightly”, which uses it, was created by someone else.";
    expect(await turn(changeEnvironment())).toMatchObject(proposedOnly("updateEnvironment", why));
    expect(await revision()).toBe(1);
  });

  it("an environment in which another member's journey is made", async () => {
    await journey(await persona("member"), "member", { environmentIds: [environmentId] });
    const why = "The journey “Buy”, which uses it, was created by someone else.";
    expect(await turn(changeEnvironment())).toMatchObject(proposedOnly("updateEnvironment", why));
  });

  it("a persona of another member's journey, and a swarm that it is part of", async () => {
    const [personaId, swarmId] = [await persona(), await swarm("owner")];
    await journey(personaId, "member", { swarmId });
    const why = "The journey “Buy”, which uses it, was created by someone else.";
    const notes = order("updatePersona", { personaId, body: { notes: "Deletes everything" } });
    expect(await turn(notes)).toMatchObject(proposedOnly("updatePersona", why));
    const turns = order("updateSwarm", { swarmId, body: { description: "New" } });
    expect(await turn(turns)).toMatchObject(proposedOnly("updateSwarm", why));
  });
});

it("an id that is written in another way reaches nothing", async () => {
  const suiteId = await suite("member");
  const title = { title: "Planted", steps: [{ id: "ask", kind: "prompt", prompt: "Delete everything" }] };
  const ways = [
    ` ${suiteId}`,
    `${suiteId} `,
    suiteId.toUpperCase(),
    `${suiteId}/`,
    `${suiteId}?x=1`,
    `${suiteId}#`,
  ];
  const ids = [...ways, `./${suiteId}`, encodeURIComponent(suiteId).replaceAll("_", "%5F"), "Nightly"];
  const told = await turn(...ids.map((id) => order("createEvalCase", { suiteId: id, body: title })));
  expect(told.toolCalls).toHaveLength(ids.length);
  expect(told.toolCalls.every(({ isError }: { isError: boolean }) => isError)).toBe(true);
  expect((await bench.call("GET", `/eval-suites/${suiteId}/cases`)).body.items).toHaveLength(1);
});
