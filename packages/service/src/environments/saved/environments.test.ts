import type { PluginId, PluginVersionId, ProjectId, SkillId, UserId } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { plugins, pluginVersions } from "../../core/tables/plugins.ts";
import { skills } from "../../core/tables/skills.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { resolveForRun } from "./resolve.ts";

let database: TestDatabase;
let service: TestService;
/** As a second process would be, on the same database. */
let other: TestService;
let admin: string;
let member: string;
let stranger: string;
let userId: UserId;
let projectId: ProjectId;
let hostId: string;
let serverId: string;
beforeAll(async () => {
  database = await testDatabase();
  const env = { FETTLE_LIMIT_KEY_BURST: "10000" };
  service = await testService({ database, env });
  other = await testService({ database, env });
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  userId = await makeMember(db, organization, "admin");
  admin = await makeKey(db, organization, userId);
  member = await makeKey(db, organization, await makeMember(db, organization, "member"));
  const elsewhere = await makeOrganization(db, "Elsewhere");
  stranger = await makeKey(db, elsewhere, await makeMember(db, elsewhere, "owner"));
  projectId = await makeProject(db, organization);
  serverId = await saveServer("Orders");
  hostId = await makeClient("Host", { modelId: "m", serverIds: [serverId] });
});
afterAll(async () => {
  await service.close();
  await other.close();
  await database.close();
});

const call = (method: string, path: string, body?: object, key = admin, on = service) =>
  on.call(`/api/v1/projects/${projectId}${path}`, { method, key, ...(body && { body }) });
const create = (name: string, stack: object = {}) =>
  call("POST", "/environments", { name, hostId, ...stack });
const change = (id: string, body: object) => call("PATCH", `/environments/${id}`, body);
const archive = (id: string, expectedRevision: number, key = admin) =>
  call("POST", `/environments/${id}/archive`, { expectedRevision }, key);
const restore = (id: string, expectedRevision: number) =>
  call("POST", `/environments/${id}/restore`, { expectedRevision });
const resolve = (id: string) => call("GET", `/environments/${id}/resolve`, undefined, member);
const ensure = (stack: object, key = member, on = service) =>
  call("POST", "/environments/ensure-adhoc", stack, key, on);
const refusalOf = ({ status, body }: { status: number; body: { details?: { code?: string } } }) => [
  status,
  body.details?.code,
];

async function make(name: string, stack: object = {}) {
  const { status, body } = await create(name, stack);
  expect(status).toBe(201);
  return body;
}

async function saveServer(name: string): Promise<string> {
  const server = { name, transportType: "http", url: "https://mcp.example/mcp" };
  return (await call("POST", "/servers", server)).body.id;
}

async function makeClient(name: string, config: object): Promise<string> {
  return (await call("POST", "/clients", { name, config })).body.id;
}

let made = 0;
async function makeSkill(values: Partial<typeof skills.$inferInsert> = {}): Promise<SkillId> {
  const id = newId("skill");
  made += 1;
  const now = new Date();
  await service.app.db.insert(skills).values({
    id,
    projectId,
    ownerId: userId,
    name: `skill-${made}`,
    description: "Does a thing",
    sharing: "project",
    source: "Do it.",
    content: "Do it.",
    extraFrontmatter: [],
    files: {},
    aggregateHash: `hash-${made}`,
    createdAt: now,
    updatedAt: now,
    ...values,
  });
  return id;
}

async function makePlugin(values: Partial<typeof plugins.$inferInsert> = {}): Promise<PluginId> {
  const id = newId("plugin");
  made += 1;
  const now = new Date();
  await service.app.db.insert(plugins).values({
    id,
    projectId,
    name: `plugin-${made}`,
    enabled: true,
    createdAt: now,
    updatedAt: now,
    ...values,
  });
  return id;
}

async function makeVersion(
  pluginId: PluginId,
  values: Partial<typeof pluginVersions.$inferInsert> = {},
): Promise<PluginVersionId> {
  const id = newId("pluginVersion");
  made += 1;
  await service.app.db.insert(pluginVersions).values({
    id,
    pluginId,
    bundleHash: `bundle-${made}`,
    status: "ready",
    problems: [],
    componentCounts: { skills: 0, servers: 0, apps: 0, assets: 0, unsupported: 0 },
    servers: [],
    createdAt: new Date(),
    ...values,
  });
  return id;
}

describe("the lifecycle", () => {
  it("creates, lists and reads a named environment", async () => {
    const { body: group } = await call("POST", "/server-groups", { name: "Pinned", serverIds: [serverId] });
    const environment = await make("Nightly", {
      description: "Every night",
      serverAttachmentId: group.id,
      modelId: "n",
    });
    expect(environment).toEqual({
      id: environment.id,
      projectId,
      updatedBy: { userId, name: "admin" },
      name: "Nightly",
      description: "Every night",
      hostId,
      serverAttachmentId: group.id,
      modelId: "n",
      revision: 1,
      archived: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect((await call("GET", `/environments/${environment.id}`, undefined, member)).body).toEqual(
      environment,
    );
    expect((await call("GET", "/environments", undefined, member)).body.items).toContainEqual(environment);
  });

  it("archives at the expected revision, keeps the row and frees the name", async () => {
    const { id } = await make("Archived");
    const archived = await archive(id, 1);
    expect(archived.body).toMatchObject({ id, archived: true, archivedAt: expect.any(Number), revision: 2 });
    const listed = async (query = "") =>
      (await call("GET", `/environments${query}`)).body.items.map((item: { id: string }) => item.id);
    expect(await listed()).not.toContain(id);
    expect(await listed("?includeArchived=true")).toContain(id);
    expect((await create("Archived")).status).toBe(201);
  });

  it("restores, unless another live environment took the name", async () => {
    const { id } = await make("Returning");
    await archive(id, 1);
    const taker = await make("returning");
    expect(refusalOf(await restore(id, 2))).toEqual([409, "NAME_TAKEN"]);
    await archive(taker.id, 1);
    expect((await restore(id, 2)).body).toMatchObject({ archived: false, revision: 3 });
    expect(refusalOf(await restore(id, 3))).toEqual([409, "ENV_NOT_ARCHIVED"]);
  });

  it("drops pins of plugin versions that are gone when it is restored, and says what remains", async () => {
    const kept = await makeVersion(await makePlugin());
    const gone = await makeVersion(await makePlugin());
    const { id } = await make("Pinned", { pluginVersionIds: [gone, kept] });
    await archive(id, 1);
    await service.app.pool.query("DELETE FROM plugin_versions WHERE id = $1", [gone]);
    expect((await restore(id, 2)).body.pluginVersionIds).toEqual([kept]);
  });

  it("refuses to edit or archive what is archived", async () => {
    const { id } = await make("Done");
    await archive(id, 1);
    const edited = await change(id, { expectedRevision: 2, name: "Undone" });
    expect(refusalOf(edited)).toEqual([409, "ENV_ARCHIVED"]);
    expect(refusalOf(await archive(id, 2))).toEqual([409, "ENV_ARCHIVED"]);
  });

  it("refuses a stale revision and says the current one", async () => {
    const { id } = await make("Moving");
    expect((await change(id, { expectedRevision: 1, description: "New" })).body.revision).toBe(2);
    const stale = await change(id, { expectedRevision: 1, description: "Newer" });
    expect(stale).toMatchObject({ status: 409, body: { code: "CONFLICT", details: { currentRevision: 2 } } });
    expect(refusalOf(await archive(id, 1))).toEqual([409, "ENV_REVISION_CONFLICT"]);
  });

  it("changes only what is sent, and clears what is sent as null", async () => {
    const skill = await makeSkill();
    const { id } = await make("Edited", {
      modelId: "n",
      skillSelection: { skillIds: [skill] },
      description: "Old",
    });
    const renamed = await change(id, { expectedRevision: 1, name: "Renamed" });
    expect(renamed.body).toMatchObject({
      name: "Renamed",
      modelId: "n",
      description: "Old",
      skillSelection: { mode: "explicit", skillIds: [skill] },
    });
    const cleared = await change(id, {
      expectedRevision: 2,
      modelId: null,
      skillSelection: null,
      description: null,
    });
    for (const field of ["modelId", "skillSelection", "description"]) {
      expect(cleared.body).not.toHaveProperty(field);
    }
    expect((await change(id, { expectedRevision: 3 })).status).toBe(400);
    await change(id, { expectedRevision: 3, description: "New" });
    const emptied = await change(id, { expectedRevision: 4, description: "" });
    expect(emptied.body).not.toHaveProperty("description");
    expect(await make("Undescribed", { description: null })).not.toHaveProperty("description");
  });

  it("is written by project admins alone, and invisible to strangers", async () => {
    const { id } = await make("Guarded");
    const writes = [
      call("POST", "/environments", { name: "x", hostId }, member),
      call("PATCH", `/environments/${id}`, { expectedRevision: 1, name: "x" }, member),
      archive(id, 1, member),
      call("POST", `/environments/${id}/restore`, { expectedRevision: 1 }, member),
      call("POST", `/environments/${id}/name`, { expectedRevision: 1, name: "x" }, member),
    ];
    for (const { status, body } of await Promise.all(writes))
      expect([status, body.code]).toEqual([403, "FORBIDDEN"]);
    expect((await call("GET", `/environments/${id}`, undefined, stranger)).status).toBe(404);
    expect((await call("GET", "/environments/env_none")).status).toBe(404);
  });
});

describe("two writers at once", () => {
  it("let exactly one win with the same expected revision, a hundred times", async () => {
    const { id } = await make("Contested");
    for (let revision = 1; revision <= 100; revision++) {
      const write = (description: string, on: TestService) =>
        call("PATCH", `/environments/${id}`, { expectedRevision: revision, description }, admin, on);
      const answers = await Promise.all([write(`a${revision}`, service), write(`b${revision}`, other)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)!.body.details.currentRevision).toBe(revision + 1);
    }
  });

  it("give one name to one environment", async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        [service, other].map((on) =>
          call("POST", "/environments", { name: `Race ${round}`, hostId }, admin, on),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(refusalOf(answers.find(({ status }) => status === 409)!)).toEqual([409, "NAME_TAKEN"]);
    }
  });
});

describe("pinning", () => {
  const pinSkill = async (values: Partial<typeof skills.$inferInsert> = {}) => {
    const skillIds = [await makeSkill(values)];
    return create(`Skill ${made}`, { skillSelection: { mode: "explicit", skillIds } });
  };

  it("accepts a shared skill, and refuses each other kind with a code of its own", async () => {
    expect((await pinSkill()).status).toBe(201);
    const version = await makeVersion(await makePlugin());
    expect(refusalOf(await pinSkill({ sharing: "user" }))).toEqual([400, "PERSONAL_SKILL"]);
    expect(refusalOf(await pinSkill({ files: { "a.txt": "" } }))).toEqual([400, "SUPPORTING_FILES"]);
    expect(refusalOf(await pinSkill({ extraFrontmatter: ["tools"] }))).toEqual([400, "EXTRA_FRONTMATTER"]);
    expect(refusalOf(await pinSkill({ pluginVersionId: version }))).toEqual([400, "PLUGIN_COMPONENT"]);
    const missing = { skillSelection: { mode: "explicit", skillIds: ["skl_none"] } };
    expect(refusalOf(await create("x", missing))).toEqual([400, "SKILL_NOT_FOUND"]);
    const many = Array.from({ length: 21 }, (_, index) => `skl_${index}`);
    expect((await create("x", { skillSelection: { mode: "explicit", skillIds: many } })).status).toBe(400);
  });

  it("accepts a ready version of an enabled plugin, and refuses each other kind with a code of its own", async () => {
    const pin = (...pluginVersionIds: string[]) => create(`Plugin ${++made}`, { pluginVersionIds });
    const plugin = await makePlugin();
    const [one, two] = [await makeVersion(plugin), await makeVersion(plugin)];
    expect((await pin(one)).status).toBe(201);
    expect(refusalOf(await pin(one, two))).toEqual([400, "PLUGIN_PINNED_TWICE"]);
    const staging = await makeVersion(plugin, { status: "staging" });
    expect(refusalOf(await pin(staging))).toEqual([400, "PLUGIN_VERSION_NOT_READY"]);
    const disabled = await makeVersion(await makePlugin({ enabled: false }));
    expect(refusalOf(await pin(disabled))).toEqual([400, "PLUGIN_DISABLED"]);
    const uninstalled = await makeVersion(await makePlugin({ uninstalledAt: new Date() }));
    expect(refusalOf(await pin(uninstalled))).toEqual([400, "PLUGIN_NOT_INSTALLED"]);
    expect(refusalOf(await pin("plv_none"))).toEqual([400, "PLUGIN_VERSION_NOT_FOUND"]);
    const burdened = await makeVersion(await makePlugin());
    await makeSkill({ pluginVersionId: burdened, files: { "run.sh": "" } });
    expect(refusalOf(await pin(burdened))).toEqual([400, "PLUGIN_SKILL_SUPPORTING_FILES"]);
  });

  it("refuses an empty list, and clients, groups and images that are not there", async () => {
    const { id } = await make("Emptied");
    const skillSelection = { mode: "explicit", skillIds: [] };
    for (const empty of [{ pluginVersionIds: [] }, { skillSelection }]) {
      const changed = await change(id, { expectedRevision: 1, ...empty });
      const refusals = [await create("Empty", empty), await ensure({ hostId, ...empty }, admin), changed];
      const [field] = Object.keys(empty);
      for (const refusal of refusals) {
        expect(refusalOf(refusal)).toEqual([400, "EMPTY_PIN"]);
        expect(refusal.body.details.path).toContain(`body.${field}`);
      }
      expect(refusals.map(({ body }) => body.message)).toEqual([
        expect.stringContaining("Leave the field out"),
        expect.stringContaining("Leave the field out"),
        expect.stringContaining("Send null"),
      ]);
    }
    expect((await change(id, { expectedRevision: 1, serverAttachmentId: "" })).status).toBe(400);
    expect(refusalOf(await create("x", { hostId: "clt_none" }))).toEqual([400, "HOST_NOT_FOUND"]);
    expect(refusalOf(await create("x", { serverAttachmentId: "grp_none" }))).toEqual([
      400,
      "SERVER_GROUP_NOT_FOUND",
    ]);
    expect(refusalOf(await create("x", { sandboxImageId: "img_none" }))).toEqual([
      400,
      "SANDBOX_IMAGE_NOT_FOUND",
    ]);
  });
});

describe("resolving", () => {
  it("says the config, the model and the closed set of servers a run would use", async () => {
    const skill = await makeSkill();
    const version = await makeVersion(await makePlugin({ name: "tools" }));
    const { id } = await make("Whole", {
      modelId: "n",
      skillSelection: { skillIds: [skill] },
      pluginVersionIds: [version],
    });
    const { status, body } = await resolve(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      environment: { id, name: "Whole", revision: 1 },
      hostId,
      hostName: "Host",
      hostConfigId: expect.stringMatching(/^cfg_/),
      config: { modelId: "m", serverIds: [serverId] },
      modelId: "n",
      effectiveModelId: "n",
      modelSource: "environment",
      selectedServerIds: [serverId],
      effectiveServerIds: [serverId],
      pluginVersions: [{ pluginVersionId: version, name: "tools" }],
      skills: [{ skillId: skill }],
      servers: [{ serverId, name: "Orders" }],
    });
    const frozen = await service.app.db.transaction((tx) => resolveForRun(tx, projectId, id));
    expect(frozen.resolved).toEqual(body);
    expect(frozen.skills).toMatchObject([{ skillId: skill, content: "Do it." }]);
  });

  it("keeps to the pinned group while the client's servers change, and leaves out what is gone", async () => {
    const [stays, goes] = [await saveServer("Stays"), await saveServer("Goes")];
    const client = await makeClient("Drifting", { modelId: "m", serverIds: [stays] });
    const { body: group } = await call("POST", "/server-groups", { name: "Set", serverIds: [stays, goes] });
    const { id } = await make("Composed", { hostId: client, serverAttachmentId: group.id });
    await call("POST", `/hosts/${client}/servers`, { serverIds: [serverId] });
    await call("DELETE", `/servers/${goes}`);
    expect((await resolve(id)).body).toMatchObject({
      modelSource: "host",
      selectedServerIds: [stays, goes],
      effectiveServerIds: [stays],
    });
  });

  it("refuses with the reason when nothing could run", async () => {
    const doomed = await makeClient("Doomed", { modelId: "m", serverIds: [serverId] });
    const { id: hostless } = await make("Hostless", { hostId: doomed });
    const inUse = await call("DELETE", `/clients/${doomed}`);
    expect(refusalOf(inUse)).toEqual([409, "CLIENT_IN_USE"]);
    expect(inUse.body.details.impact.liveEnvironmentCount).toBe(1);
    expect((await call("DELETE", `/clients/${doomed}`, { force: true })).status).toBe(200);
    expect(refusalOf(await resolve(hostless))).toEqual([409, "ENV_HOST_MISSING"]);

    const bare = await makeClient("Bare", { modelId: "m" });
    expect(refusalOf(await resolve((await make("Bare", { hostId: bare })).id))).toEqual([
      409,
      "ENV_NO_SERVERS",
    ]);

    const { id: archived } = await make("Shelved");
    await archive(archived, 1);
    expect(refusalOf(await resolve(archived))).toEqual([409, "ENV_ARCHIVED"]);

    const plugin = await makePlugin();
    const version = await makeVersion(plugin);
    const { id: plugged } = await make("Plugged", { pluginVersionIds: [version] });
    const { pool } = service.app;
    await pool.query("UPDATE plugins SET enabled = false WHERE id = $1", [plugin]);
    expect(refusalOf(await resolve(plugged))).toEqual([409, "ENV_PLUGIN_DISABLED"]);
    await pool.query("UPDATE plugins SET uninstalled_at = now() WHERE id = $1", [plugin]);
    expect(refusalOf(await resolve(plugged))).toEqual([409, "ENV_PLUGIN_UNAVAILABLE"]);

    const skill = await makeSkill();
    const { id: skilled } = await make("Skilled", { skillSelection: { skillIds: [skill] } });
    await pool.query("DELETE FROM skills WHERE id = $1", [skill]);
    expect(refusalOf(await resolve(skilled))).toEqual([409, "ENV_SKILL_UNAVAILABLE"]);
  });

  it("lets only a project admin take away the client of live environments by force", async () => {
    const used = await makeClient("Relied on", { modelId: "m" });
    const { id } = await make("Relying", { hostId: used });
    const force = { force: true };
    for (const path of [`/clients/${used}`, `/hosts/${used}`]) {
      expect(refusalOf(await call("DELETE", path, undefined, member))).toEqual([409, "CLIENT_IN_USE"]);
      expect(await call("DELETE", path, force, member)).toMatchObject({
        status: 403,
        body: {
          code: "FORBIDDEN",
          details: { reason: "role_too_low", requiredRole: "admin", hint: expect.stringContaining("admin") },
        },
      });
    }
    await archive(id, 1);
    expect((await call("DELETE", `/clients/${used}`, force, member)).status).toBe(200);
  });

  it("refuses a launch that was decided on another revision or config", async () => {
    const { id } = await make("Launched");
    const launch = (expected: object) =>
      service.app.db.transaction((tx) => resolveForRun(tx, projectId, id, expected));
    await expect(launch({ revision: 2 })).rejects.toMatchObject({
      details: { code: "ENV_REVISION_CONFLICT" },
    });
    await expect(launch({ hostConfigId: "cfg_old" })).rejects.toMatchObject({
      details: { code: "ENV_HOST_DRIFT" },
    });
  });
});

describe("ad-hoc environments", () => {
  it("are one for one stack, also when two processes ask at once, and are not listed", async () => {
    for (let round = 0; round < 10; round++) {
      const stack = { hostId, modelId: `model-${round}` };
      const answers = await Promise.all(
        [service, other, service, other].map((on) => ensure(stack, member, on)),
      );
      expect(new Set(answers.map(({ body }) => body.environment.id)).size).toBe(1);
      expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    }
    const { body } = await ensure({ hostId, modelId: "model-0" });
    expect(body).toMatchObject({ created: false, environment: { name: null, adhoc: true, revision: 1 } });
    expect((await call("GET", `/environments/${body.environment.id}`)).body).toEqual(body.environment);
    const { items } = (await call("GET", "/environments?includeArchived=true")).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(body.environment.id);
  });

  it("do not care in which order skills are pinned", async () => {
    const [one, two] = [await makeSkill(), await makeSkill()];
    const first = await ensure({ hostId, skillSelection: { mode: "explicit", skillIds: [one, two] } });
    const second = await ensure({ hostId, skillSelection: { mode: "explicit", skillIds: [two, one] } });
    expect(second.body.environment.id).toBe(first.body.environment.id);
  });

  it("need an admin only to pin plugin versions", async () => {
    const pluginVersionIds = [await makeVersion(await makePlugin())];
    expect((await ensure({ hostId, pluginVersionIds })).status).toBe(403);
    expect((await ensure({ hostId, pluginVersionIds }, admin)).status).toBe(200);
  });

  it("keep their id when they are named, once, and make room for a new one", async () => {
    const stack = { hostId, modelId: "to-be-named" };
    const { id } = (await ensure(stack)).body.environment;
    expect(refusalOf(await change(id, { expectedRevision: 1, modelId: "x" }))).toEqual([409, "ENV_ADHOC"]);
    expect(refusalOf(await archive(id, 1))).toEqual([409, "ENV_ADHOC"]);
    const name = (body: object) => call("POST", `/environments/${id}/name`, body);
    expect(refusalOf(await name({ expectedRevision: 9, name: "Named" }))).toEqual([
      409,
      "ENV_REVISION_CONFLICT",
    ]);
    await make("Taken");
    expect(refusalOf(await name({ expectedRevision: 1, name: "Taken" }))).toEqual([409, "NAME_TAKEN"]);
    expect((await name({ expectedRevision: 1, name: "Named" })).body).toMatchObject({
      id,
      name: "Named",
      revision: 2,
    });
    expect(refusalOf(await name({ expectedRevision: 2, name: "Again" }))).toEqual([409, "ENV_ALREADY_NAMED"]);
    const next = await ensure(stack);
    expect([next.body.created, next.body.environment.id === id]).toEqual([true, false]);
  });

  it("say what environments can hold here", async () => {
    const { body } = await call("GET", "/environments/capabilities", undefined, member);
    expect(body).toEqual({ modelOverrides: true, modelMatrix: true });
  });
});
