import { ClientConfig, clientTemplateIds } from "@fettle/contract/environments";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { clients } from "../../core/tables/clients.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let admin: string;
let member: string;
let project: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  admin = await makeKey(db, organization, await makeMember(db, organization, "admin"));
  member = await makeKey(db, organization, await makeMember(db, organization, "member"));
  project = `/api/v1/projects/${await makeProject(db, organization)}`;
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: object, key = admin) =>
  service.call(`${project}${path}`, { method, key, ...(body && { body }) });

async function make(name: string, config: object = { modelId: "m" }) {
  const { status, body } = await call("POST", "/clients", { name, config });
  expect(status).toBe(201);
  return body;
}

async function saveServer(name: string): Promise<string> {
  const server = { name, transportType: "http", url: "https://mcp.example/mcp" };
  return (await call("POST", "/servers", server)).body.id;
}

describe("templates", () => {
  it("are the sixteen hosts, and each makes a client", async () => {
    const { body } = await service.call("/api/v1/client-templates", { key: member });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([...clientTemplateIds]);
    for (const template of clientTemplateIds) {
      const made = await call("POST", "/clients", { name: `From ${template}`, template }, member);
      expect([made.status, made.body.config?.hostStyle]).toEqual([201, template]);
    }
  });

  it("take a theme where the host has one", async () => {
    const light = await call("POST", "/clients", { name: "Light", template: "claude", theme: "light" });
    expect(light.body.config.hostContext.theme).toBe("light");
    const none = await call("POST", "/clients", { name: "Bare", template: "claude-code", theme: "light" });
    expect(none.status).toBe(400);
  });

  it.each([
    ["neither a template nor a config", {}],
    ["both", { template: "claude", config: { modelId: "m" } }],
    ["an unknown template", { template: "nobody" }],
    ["a config without a model", { config: { temperature: 1 } }],
    ["a config with a blank model", { config: { modelId: " " } }],
    ["a theme without a template", { config: { modelId: "m" }, theme: "dark" }],
    ["a credential", { config: { modelId: "m", connectionDefaults: { headers: { Authorization: "x" } } } }],
    ["a server of another project", { config: { modelId: "m", serverIds: ["srv_other"] } }],
  ])("refuse %s", async (_what, body) => {
    expect((await call("POST", "/clients", { name: "x", ...body })).status).toBe(400);
  });

  it("refuse a config nested beyond measure", async () => {
    const hostContext = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
    const body = `{"name":"x","config":{"modelId":"m","hostContext":${hostContext}}}`;
    const refused = await service.call(`${project}/clients`, { method: "POST", key: admin, body });
    expect([refused.status, refused.body.details?.code]).toEqual([400, "CONFIG_TOO_DEEP"]);
  });
});

describe("a config", () => {
  it("has one id for the same settings, however they are written, and another for others", async () => {
    const plain = await make("Plain", { modelId: "m", temperature: 0.7, hostContext: { b: 1, a: 2 } });
    const same = await make("Same", { hostContext: { a: 2, b: 1 }, modelId: "m", id: "x", schemaVersion: 2 });
    const other = await make("Other", { modelId: "m", temperature: 0.8, hostContext: { b: 1, a: 2 } });
    expect(same.configId).toBe(plain.configId);
    expect(JSON.stringify(same.config)).toBe(JSON.stringify(plain.config));
    expect(other.configId).not.toBe(plain.configId);
    expect(ClientConfig.parse(plain.config)).toMatchObject({
      systemPrompt: "",
      requireToolApproval: false,
      connectionDefaults: { headers: {}, requestTimeout: 10_000 },
    });
  });

  it("loses a server that is deleted, in every client that used it", async () => {
    const [kept, gone] = [await saveServer("Kept"), await saveServer("Gone")];
    const before = await make("Attached", {
      modelId: "m",
      serverIds: [kept],
      optionalServerIds: [gone],
      serverConnectionOverrides: { [gone]: { requestTimeoutOverride: 5 } },
    });
    await call("DELETE", `/servers/${gone}`);
    const { body } = await call("GET", `/clients/${before.id}`);
    expect(body.configId).not.toBe(before.configId);
    expect(body.config).toMatchObject({ serverIds: [kept], optionalServerIds: [] });
    expect(body.config.serverConnectionOverrides).toBeUndefined();
  });
});

describe("reading a client", () => {
  it("finds it by id or by name in any case, and names the candidates when there are several", async () => {
    const one = await make("Twin");
    expect((await call("GET", "/clients/tWIN", undefined, member)).body.id).toBe(one.id);
    const other = await make("twin");
    const ambiguous = await call("GET", "/clients/TWIN");
    expect(ambiguous.status).toBe(409);
    expect(ambiguous.body.details.candidateIds).toEqual([one.id, other.id].sort());
    expect((await call("GET", `/clients/${other.id}`)).body.name).toBe("twin");
    expect((await call("GET", "/clients/nobody")).status).toBe(404);
  });

  it("lists which host it behaves like, what an edit would follow, and who changed it last", async () => {
    const { id, configId } = await make("Followed", { modelId: "m", hostStyle: "claude" });
    await call("POST", "/environments", { name: "Follows", hostId: id });
    const { body } = await call(
      "PATCH",
      `/clients/${id}`,
      { set: { temperature: 0 }, expectedConfigId: configId },
      member,
    );
    expect(body.updatedBy).toEqual({ userId: expect.stringMatching(/^usr_/), name: "member" });
    const { items } = (await call("GET", "/clients")).body;
    expect(items.find((item: { id: string }) => item.id === id)).toMatchObject({
      hostStyle: "claude",
      impact: { liveEnvironmentCount: 1, scenarioAttachmentCount: 0, activeLegacyJourneyCount: 0 },
      updatedBy: body.updatedBy,
    });
  });

  it("leaves out what only backs a scenario, unless asked", async () => {
    const { id } = await make("Backing");
    await service.app.pool.query("UPDATE clients SET owner_scope = $2 WHERE id = $1", [
      id,
      { kind: "scenario", scenarioId: "scn_x" } satisfies (typeof clients.$inferSelect)["ownerScope"],
    ]);
    const ids = async (query = "") =>
      (await call("GET", `/clients${query}`)).body.items.map((item: { id: string }) => item.id);
    expect(await ids()).not.toContain(id);
    expect(await ids("?includePrivateBacking=true")).toContain(id);
    expect((await call("GET", `/clients/${id}`)).status).toBe(404);
    expect((await call("GET", `/clients/${id}?includePrivateBacking=true`)).status).toBe(200);
    expect((await call("DELETE", `/clients/${id}`)).status).toBe(404);
  });
});

describe("changing a client", () => {
  it("sets single fields, replaces objects whole, and puts defaults back for null", async () => {
    const made = await make("Settable", {
      modelId: "m",
      temperature: 1,
      mcpProfile: { profileVersion: 1, mrtrSupport: "none" },
      harness: "codex",
      connectionDefaults: { headers: { a: "b" }, requestTimeout: 5 },
    });
    const set = {
      temperature: null,
      mcpProfile: { profileVersion: 1 },
      harness: null,
      connectionDefaults: null,
    };
    const { status, body } = await call("PATCH", `/clients/${made.id}`, {
      set,
      expectedConfigId: made.configId,
    });
    expect(status).toBe(200);
    expect(body.config).toMatchObject({
      temperature: 0.7,
      mcpProfile: { profileVersion: 1 },
      connectionDefaults: { headers: {}, requestTimeout: 10_000 },
    });
    expect(body.config.mcpProfile).toEqual({ profileVersion: 1 });
    expect(body.config.harness).toBeUndefined();
  });

  it.each([
    [
      "both a config and fields",
      { config: { modelId: "m" }, set: { temperature: 1 }, expectedConfigId: "x" },
    ],
    ["a config without the one last read", { config: { modelId: "m" } }],
    ["a name without the one last read", { name: "New" }],
    ["no model", { set: { modelId: null }, expectedConfigId: "x" }],
    ["a field that is not set this way", { set: { serverIds: [] }, expectedConfigId: "x" }],
    ["nothing to set", { set: {}, expectedConfigId: "x" }],
    ["nothing", {}],
  ])("refuses %s", async (_what, body) => {
    const { id } = await make("Refusing");
    expect((await call("PATCH", `/clients/${id}`, body)).status).toBe(400);
  });

  it("says what is current when the caller's reading is stale", async () => {
    const made = await make("Current");
    const stale = await call("PATCH", `/clients/${made.id}`, {
      set: { temperature: 1 },
      expectedConfigId: "cfg_old",
    });
    expect([stale.status, stale.body.code, stale.body.details]).toEqual([
      409,
      "CONFLICT",
      { code: "STALE_CONFIG_ID", currentConfigId: made.configId },
    ]);
    const renamed = await call("PATCH", `/clients/${made.id}`, { name: "New", expectedName: "Old" });
    expect(renamed.body.details).toEqual({ code: "STALE_NAME", currentName: "Current" });
    const impact = { ...made.impact, liveEnvironmentCount: 7 };
    const used = await call("PATCH", `/clients/${made.id}`, {
      set: { temperature: 1 },
      expectedConfigId: made.configId,
      expectedImpact: impact,
    });
    expect(used.body.details).toEqual({ code: "STALE_IMPACT", impact: made.impact });
  });

  it("lets exactly one of two writers with the same expectation win, a hundred times", async () => {
    let { id, configId } = await make("Contested");
    for (let round = 0; round < 100; round++) {
      const write = (temperature: number) =>
        call("PATCH", `/clients/${id}`, { set: { temperature }, expectedConfigId: configId });
      const answers = await Promise.all([write((round + 1) / 200), write(1 + (round + 1) / 200)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      configId = answers.find(({ status }) => status === 200)!.body.configId;
      expect(answers.find(({ status }) => status === 409)!.body.details.currentConfigId).toBe(configId);
    }
  });

  it("writes nothing when nothing changes", async () => {
    const made = await make("Still");
    const { body } = await call("PATCH", `/clients/${made.id}`, {
      set: { temperature: 0.7 },
      expectedConfigId: made.configId,
    });
    expect(body).toEqual(made);
  });

  it("replaces its servers, for project admins", async () => {
    const [one, two] = [await saveServer("One"), await saveServer("Two")];
    const made = await make("Wired", { modelId: "m", serverIds: [one] });
    const body = { serverIds: [], optionalServerIds: [two], expectedConfigId: made.configId };
    expect((await call("POST", `/clients/${made.id}/servers`, body, member)).status).toBe(403);
    const wired = await call("POST", `/clients/${made.id}/servers`, body);
    expect(wired.body.config).toMatchObject({ serverIds: [], optionalServerIds: [two] });
    expect((await call("POST", `/clients/${made.id}/servers`, body)).status).toBe(409);
  });
});

it("makes a copy that shares its config", async () => {
  const made = await make("Original", { modelId: "m", systemPrompt: "Be brief." });
  const copy = await call("POST", `/clients/${made.id}/duplicate`, { name: "Copy" });
  expect([copy.status, copy.body.name, copy.body.configId]).toEqual([201, "Copy", made.configId]);
  expect((await call("POST", `/clients/${made.id}/duplicate`, {})).body.name).toBe("Original (copy)");
});

it("is gone once deleted", async () => {
  const { id } = await make("Brief");
  expect((await call("DELETE", `/clients/${id}`, undefined, member)).body).toMatchObject({
    id,
    deleted: true,
  });
  expect((await call("GET", `/clients/${id}`)).status).toBe(404);
});

describe("the older paths under /hosts", () => {
  it("answer in the older shapes, by id alone, and say on every answer that they are deprecated", async () => {
    const created = await call("POST", "/hosts", { name: "Old", config: { modelId: "m" } });
    const { id } = created.body;
    const now = (await call("GET", `/clients/${id}`)).body;
    const listed = await call("GET", "/hosts");
    const [row] = listed.body.items;
    const read = await call("GET", `/hosts/${id}`);
    const byName = await call("GET", "/hosts/Old");
    const updated = await call("PATCH", `/hosts/${id}`, { name: "Older", config: { modelId: "n" } });
    const wired = await call("POST", `/hosts/${id}/servers`, { serverIds: [] });
    const copied = await call("POST", `/hosts/${id}/duplicate`);
    const refused = await call("POST", "/hosts", { name: "x" });
    const deleted = await call("DELETE", `/hosts/${id}`, { force: true });
    const noSuchMethod = await call("PUT", "/hosts");
    const noSuchPath = await call("GET", `/hosts/${id}/a/b`);
    const answers = [created, listed, read, byName, updated, wired, copied, refused, deleted];
    answers.push(noSuchMethod, noSuchPath);
    expect(answers.map(({ status }) => status)).toEqual([
      201, 200, 200, 404, 200, 200, 201, 400, 200, 405, 404,
    ]);
    expect(answers.map(({ headers }) => headers.get("deprecation"))).toEqual(answers.map(() => "true"));
    const { createdAt, updatedAt } = now;
    expect(row).toEqual({
      id,
      name: "Old",
      hostConfigId: now.configId,
      modelId: "m",
      serverCount: 0,
      createdAt,
      updatedAt,
    });
    expect(read.body).toEqual({ id, name: "Old", config: now.config });
    expect(updated.body).toEqual({ id, name: "Older", config: { ...now.config, modelId: "n" } });
    expect(Object.keys(wired.body).sort()).toEqual(["config", "hostConfigId", "hostId", "id", "name"]);
    expect(deleted.body).toMatchObject({ id, deleted: true });
    expect((await call("GET", "/clients")).headers.get("deprecation")).toBeNull();
  });
});
