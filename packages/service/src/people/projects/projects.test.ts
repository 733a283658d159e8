import type { OrganizationId, UserId } from "@fettle/contract/core";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  grant,
  join,
  makeKey,
  makeMember,
  makeOrganization,
  makePerson,
  makeProject,
} from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld } from "../../testing/world.ts";

let service: TestService;
let organization: OrganizationId;
beforeAll(async () => {
  service = await testService();
  organization = await makeOrganization(service.app.db, "Acme");
});
afterAll(() => service.close());

const keyOf = (userId: UserId, organizationId = organization) =>
  makeKey(service.app.db, organizationId, userId);
const newMember = (role: "guest" | "member" | "admin" | "owner") =>
  makeMember(service.app.db, organization, role);
const create = (key: string, body: object, headers = {}) =>
  service.call("/api/v1/projects", { method: "POST", key, body, headers });

describe("organizations", () => {
  it("lists to a key the one it was made in, though its maker belongs to more", async () => {
    const person = await newMember("admin");
    const other = await makeOrganization(service.app.db, "Other");
    await join(service.app.db, other, person, "owner");
    const { body } = await service.call("/api/v1/organizations", { key: await keyOf(person) });
    expect(body).toEqual({
      items: [
        {
          id: organization,
          name: "Acme",
          plan: "self-hosted",
          myRole: "admin",
          isCreator: false,
          logoUrl: null,
          createdAt: expect.any(Number),
        },
      ],
    });
  });
});

describe("making a project", () => {
  it("makes it in the key's organization, and its maker runs it even when it is private", async () => {
    const key = await keyOf(await newMember("member"));
    const made = await create(key, { name: "  Shop  ", visibility: "private", description: "Ours" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "Shop",
      organizationId: organization,
      visibility: "private",
      description: "Ours",
      icon: null,
      role: "admin",
    });
    const read = await service.call(`/api/v1/projects/${made.body.id}`, { key });
    expect(read.body).toEqual(made.body);
  });

  it("reads another organization as missing, and refuses guests", async () => {
    const elsewhere = await makeOrganization(service.app.db);
    const foreign = await create(await keyOf(await newMember("owner")), {
      name: "x",
      organizationId: elsewhere,
    });
    expect([foreign.status, foreign.body.code]).toEqual([404, "NOT_FOUND"]);
    const asGuest = await create(await keyOf(await newMember("guest")), { name: "x" });
    expect([asGuest.status, asGuest.body.details.requiredRole]).toEqual([403, "member"]);
  });
});

describe("seeing projects", () => {
  it("lists what each person may see, the last changed first", async () => {
    const own = await makeOrganization(service.app.db);
    const open = await makeProject(service.app.db, own, { name: "open" });
    const closed = await makeProject(service.app.db, own, { name: "closed", visibility: "private" });
    // Two made in one millisecond have no order.
    await service.app.db.execute(
      sql`UPDATE projects SET updated_at = updated_at + interval '1 second' WHERE id = ${closed}`,
    );
    const people = {
      owner: await makeMember(service.app.db, own, "owner"),
      member: await makeMember(service.app.db, own, "member"),
      guest: await makeMember(service.app.db, own, "guest"),
      granted: await makeMember(service.app.db, own, "guest"),
    };
    await grant(service.app.db, closed, people.granted, "editor");
    const seen: Record<string, unknown> = {};
    for (const [name, person] of Object.entries(people)) {
      const { body } = await service.call("/api/v1/projects", { key: await keyOf(person, own) });
      seen[name] = body.items.map(({ id, role }: { id: string; role: string }) => [id, role]);
    }
    expect(seen).toEqual({
      owner: [
        [closed, "admin"],
        [open, "admin"],
      ],
      member: [[open, "editor"]],
      guest: [],
      granted: [[closed, "editor"]],
    });
  });

  it("lists a project granted to somebody outside its organization", async () => {
    const { projectId, organizationId, people } = await makeWorld(service.app.db);
    await grant(service.app.db, projectId, people.stranger.userId, "editor");
    const key = people.stranger.cliToken;
    const all = await service.call("/api/v1/projects", { key });
    const one = await service.call(`/api/v1/projects?organizationId=${organizationId}`, { key });
    const seen = [all, one].map(({ body }) => body.items.map(({ id }: { id: string }) => id));
    expect(seen).toEqual([[projectId], [projectId]]);
  });

  it("reads a filter by another organization as missing", async () => {
    const elsewhere = await makeOrganization(service.app.db);
    const key = await keyOf(await newMember("owner"));
    const foreign = await service.call(`/api/v1/projects?organizationId=${elsewhere}`, { key });
    expect(foreign.status).toBe(404);
    const own = await service.call(`/api/v1/projects?organizationId=${organization}`, { key });
    expect(own.status).toBe(200);
  });
});

describe("changing and deleting a project", () => {
  it("changes what is sent and leaves the rest", async () => {
    const key = await keyOf(await newMember("admin"));
    const { body: before } = await create(key, { name: "Old", icon: "box" });
    const changed = await service.call(`/api/v1/projects/${before.id}`, {
      method: "PATCH",
      key,
      body: { name: "New" },
    });
    expect(changed.body).toEqual({ ...before, name: "New", updatedAt: expect.any(Number) });
    const empty = await service.call(`/api/v1/projects/${before.id}`, { method: "PATCH", key, body: {} });
    expect(empty.status).toBe(400);
  });

  it("changes nothing when it is no longer what the caller read", async () => {
    const key = await keyOf(await newMember("admin"));
    const { body: before } = await create(key, { name: "Read" });
    const rename = (name: string, expectedUpdatedAt: number) =>
      service.call(`/api/v1/projects/${before.id}`, {
        method: "PATCH",
        key,
        body: { name, expectedUpdatedAt },
      });
    const [one, other] = await Promise.all([
      rename("Hers", before.updatedAt),
      rename("His", before.updatedAt),
    ]);
    const [kept, refused] = one.status === 200 ? [one, other] : [other, one];
    expect(kept.status).toBe(200);
    expect(refused.status).toBe(409);
    expect(refused.body.details).toEqual({ code: "PROJECT_CHANGED", currentUpdatedAt: kept.body.updatedAt });
    const now = await service.call(`/api/v1/projects/${before.id}`, { key });
    expect(now.body.name).toBe(kept.body.name);
  });

  it("clears a description and an icon with null, which a new project may have too", async () => {
    const key = await keyOf(await newMember("admin"));
    const { body: before } = await create(key, { name: "Told", description: "Ours", icon: "box" });
    const cleared = await service.call(`/api/v1/projects/${before.id}`, {
      method: "PATCH",
      key,
      body: { description: null, icon: null },
    });
    expect(cleared.body).toMatchObject({ name: "Told", description: null, icon: null });
    const bare = await create(key, { name: "Bare", description: null, icon: null });
    expect(bare.body).toMatchObject({ name: "Bare", description: null, icon: null });
  });

  it("lets an editor neither change nor delete it", async () => {
    const project = await makeProject(service.app.db, organization);
    const editor = await newMember("guest");
    await grant(service.app.db, project, editor, "editor");
    const key = await keyOf(editor);
    const change = { method: "PATCH", key, body: { name: "Mine" } };
    expect((await service.call(`/api/v1/projects/${project}`, change)).status).toBe(403);
    expect((await service.call(`/api/v1/projects/${project}`, { method: "DELETE", key })).status).toBe(403);
  });

  it("deletes it for good", async () => {
    const key = await keyOf(await newMember("owner"));
    const project = await makeProject(service.app.db, organization);
    const path = `/api/v1/projects/${project}`;
    const deleted = await service.call(path, { method: "DELETE", key });
    expect([deleted.status, deleted.body]).toEqual([200, { id: project, deleted: true }]);
    expect((await service.call(path, { key })).status).toBe(404);
  });
});

it("tells what the caller could do, from the access the contract declares", async () => {
  const project = await makeProject(service.app.db, organization);
  const read = async (role: "member" | "admin") => {
    const key = await keyOf(await newMember(role));
    return (await service.call(`/api/v1/projects/${project}/capabilities`, { key })).body;
  };
  const [asMember, asAdmin] = [await read("member"), await read("admin")];
  expect(asMember).toMatchObject({ role: "member", projectRole: "editor", surface: "api" });
  const allowed = ({ can }: { can: Record<string, boolean> }) =>
    Object.keys(can).filter((action) => can[action]);
  // Nobody can do what is not built.
  expect(allowed(asMember)).toEqual([
    "readSwarms",
    "readUserTesting",
    "writeSwarms",
    "launchJourneyRun",
    "cancelJourneyRun",
    "changeUserTestingExposure",
    "requestInsights",
    "readEvals",
    "writeEvalSuites",
    "launchEvalRun",
    "exportEvalTraces",
  ]);
  expect(allowed(asAdmin)).toEqual([
    "readSwarms",
    "readUserTesting",
    "writeSwarms",
    "launchJourneyRun",
    "cancelJourneyRun",
    "publishUserTestingScenario",
    "unpublishUserTestingScenario",
    "changeUserTestingExposure",
    "manageUserTestingGuestExecution",
    "requestInsights",
    "readEvals",
    "writeEvalSuites",
    "launchEvalRun",
    "deleteAnyEvalSuite",
    "deleteAnyEvalRun",
    "exportEvalTraces",
    "writeEnvironments",
    "manageGates",
  ]);
});

it("offers the built-in model", async () => {
  const key = await keyOf(await newMember("guest"));
  const { body } = await service.call("/api/v1/models", { key });
  expect(body.items).toMatchObject([{ id: "fettle/rules-1", name: "Fettle rules 1", provider: "fettle" }]);
});

describe("an idempotency key", () => {
  it("gives a repetition the first answer, and makes nothing twice", async () => {
    const person = await newMember("member");
    const first = await create(await keyOf(person), { name: "Once", icon: "a" }, { "idempotency-key": "k1" });
    // The same person through another key, the same body in another order, the header in its other spelling.
    const again = await create(
      await keyOf(person),
      { icon: "a", name: "Once" },
      { "x-fettle-idempotency-key": " k1 " },
    );
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(first.headers.get("idempotency-replayed")).toBeNull();
  });

  it("refuses another body, and means nothing to another person", async () => {
    const key = await keyOf(await newMember("member"));
    const headers = { "idempotency-key": "k2" };
    const first = await create(key, { name: "One" }, headers);
    const reused = await create(key, { name: "Two" }, headers);
    expect([reused.status, reused.body.details.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    const other = await create(await keyOf(await newMember("member")), { name: "Two" }, headers);
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(first.body.id);
  });

  it("makes one project of many calls at once; the others are told to wait, or given its answer", async () => {
    const person = await newMember("member");
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyOf(person)));
    const answers = await Promise.all(
      keys.map((key) => create(key, { name: "Crowd" }, { "idempotency-key": "k3" })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    const waiting = answers.filter(({ status }) => status !== 201);
    expect(waiting.map(({ status, body }) => [status, body.details.code])).toEqual(
      waiting.map(() => [409, "IDEMPOTENCY_IN_FLIGHT"]),
    );
  });

  it("does not remember a refusal, so that the same call may succeed later", async () => {
    const person = await makePerson(service.app.db);
    await join(service.app.db, organization, person, "guest");
    const headers = { "idempotency-key": "k4" };
    expect((await create(await keyOf(person), { name: "Later" }, headers)).status).toBe(403);
    await service.app.pool.query("UPDATE organization_members SET role = 'member' WHERE user_id = $1", [
      person,
    ]);
    expect((await create(await keyOf(person), { name: "Later" }, headers)).status).toBe(201);
  });

  it("is forgotten after a day", async () => {
    const person = await newMember("member");
    const headers = { "idempotency-key": "k5" };
    const first = await create(await keyOf(person), { name: "Daily" }, headers);
    await service.app.pool.query(
      "UPDATE idempotent_answers SET created_at = created_at - interval '25 hours'",
    );
    const next = await create(await keyOf(person), { name: "Daily" }, headers);
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.body.id);
  });

  it("is refused when it is blank", async () => {
    const key = await keyOf(await newMember("member"));
    const headers = { "idempotency-key": "   " };
    expect(await create(key, { name: "n" }, headers)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: { code: "IDEMPOTENCY_KEY_EMPTY" } },
    });
  });
});
