import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle, skillText } from "../../testing/bundles.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const inApp = (method: string, path: string, body?: object, person: PersonName = "admin") =>
  service.call(`/app/projects/${world.projectId}/plugins${path}`, {
    method,
    headers: { cookie: world.people[person].cookie, "x-fettle-app": "1" },
    ...(body && { body }),
  });
const api = (method: string, path: string, body?: object, person: PersonName = "admin") =>
  service.call(`/api/v1${path}`, { method, key: world.people[person].key, ...(body && { body }) });
const inProject = (method: string, path: string, body?: object) =>
  api(method, `/projects/${world.projectId}${path}`, body);

const texts = (name: string, more: Record<string, string> = {}) => ({
  ".claude-plugin/plugin.json": JSON.stringify({ name, version: "1.0.0", description: "Sells" }),
  "skills/greet/SKILL.md": skillText("greet"),
  ".mcp.json": JSON.stringify({
    mcpServers: {
      shop: { type: "http", url: "https://mcp.example/mcp", headers: { "X-Key": "canary-key" } },
    },
  }),
  ...more,
});
const upload = (files: Record<string, string>, person: PersonName = "admin") =>
  inApp("POST", "", { files: bundle(files) }, person);
const plugins = async () => (await inProject("GET", "/plugins")).body.items;
const pluginNamed = async (name: string) =>
  (await plugins()).find((plugin: { name: string }) => plugin.name === name);

describe("an uploaded plugin", () => {
  it("is installed, enabled and active with its first ready version, and lists its parts", async () => {
    const { status, body } = await upload(texts("shop"));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "ready",
      declaredVersion: "1.0.0",
      problems: [],
      componentCounts: { skills: 1, servers: 1, apps: 0, assets: 0, unsupported: 0 },
      servers: [{ declaredName: "shop", placement: "remote", authenticationPolicy: "on_use" }],
      skills: [{ declaredName: "greet", modelRef: "shop/greet" }],
    });
    expect(await pluginNamed("shop")).toMatchObject({ enabled: true, activeVersionId: body.id });
    const listed = (await inProject("GET", "/skills")).body.items;
    expect(listed).toContainEqual(
      expect.objectContaining({
        id: body.skills[0].materializedSkillId,
        pinnability: expect.objectContaining({ code: "PLUGIN_COMPONENT" }),
      }),
    );
    expect((await api("GET", `/plugin-versions/${body.id}`, undefined, "member")).body).toEqual(body);
    expect((await api("GET", `/plugin-versions/${body.id}`, undefined, "stranger")).status).toBe(404);
  });

  it("is the same version when the same bundle comes again, also at once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => upload(texts("twice"))));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it("has an invalid version, with its reasons, which cannot become active", async () => {
    const { body } = await upload(texts("broken", { "skills/bad/SKILL.md": "x" }));
    expect(body).toMatchObject({ status: "invalid", problems: [expect.stringContaining("skills/bad")] });
    const plugin = await pluginNamed("broken");
    expect(plugin.activeVersionId).toBeUndefined();
    const refused = await inApp("PUT", `/${plugin.id}/active-version`, { pluginVersionId: body.id });
    expect([refused.status, refused.body.details.code]).toEqual([409, "PLUGIN_VERSION_NOT_READY"]);
  });

  it("moves to another version when told, and keeps both", async () => {
    const first = (await upload(texts("moving"))).body;
    const second = (await upload(texts("moving", { "README.md": "New" }))).body;
    const plugin = await pluginNamed("moving");
    expect(plugin.activeVersionId).toBe(first.id);
    const moved = await inApp("PUT", `/${plugin.id}/active-version`, { pluginVersionId: second.id });
    expect(moved.body.activeVersionId).toBe(second.id);
    const { items } = (await inApp("GET", `/${plugin.id}/versions`)).body;
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([first.id, second.id].sort());
  });

  it("keeps its servers to itself, and its secrets out of every answer", async () => {
    const { body } = await upload(texts("closed"));
    const serverId = body.servers[0].materializedServerId;
    const saved = await inProject("GET", "/servers");
    expect(saved.body.items.map(({ id }: { id: string }) => id)).not.toContain(serverId);
    expect((await inProject("DELETE", `/servers/${serverId}`)).body.details.code).toBe("PLUGIN_MANAGED");
    expect((await inProject("PATCH", `/servers/${serverId}`, { name: "x" })).status).toBe(409);
    expect((await inProject("POST", "/server-groups", { name: "g", serverIds: [serverId] })).status).toBe(
      400,
    );
    const one = await inProject("GET", `/servers/${serverId}`);
    const { rows } = await service.app.pool.query("SELECT * FROM servers");
    expect(JSON.stringify([body, one.body, rows])).not.toContain("canary-");
  });

  it("brings its servers and skills into a run that pins it, until it is disabled or uninstalled", async () => {
    const { body: version } = await upload(texts("pinned"));
    const { body: client } = await inProject("POST", "/clients", { name: "Bare", config: { modelId: "m" } });
    const { body: environment } = await inProject("POST", "/environments", {
      name: "With plugin",
      hostId: client.id,
      pluginVersionIds: [version.id],
    });
    const resolve = () => inProject("GET", `/environments/${environment.id}/resolve`);
    expect((await resolve()).body).toMatchObject({
      selectedServerIds: [],
      effectiveServerIds: [version.servers[0].materializedServerId],
      skills: [{ name: "greet" }],
    });
    await inApp("PUT", `/${version.pluginId}/enabled`, { enabled: false });
    expect((await resolve()).body.details.code).toBe("ENV_PLUGIN_DISABLED");
    expect((await inApp("DELETE", `/${version.pluginId}`)).body).toEqual({
      id: version.pluginId,
      deleted: true,
    });
    expect((await resolve()).body.details.code).toBe("ENV_PLUGIN_UNAVAILABLE");
    expect(await pluginNamed("pinned")).toBeUndefined();
    expect((await api("GET", `/plugin-versions/${version.id}`)).status).toBe(200);
    expect((await upload(texts("pinned"))).body.id).not.toBe(version.id);
  });

  it("leaves an archived environment when it is uninstalled, so that what is restored can run", async () => {
    const { body: kept } = await upload(texts("stays"));
    const { body: gone } = await upload(texts("leaves"));
    const { body: client } = await inProject("POST", "/clients", { name: "Back", config: { modelId: "m" } });
    const { body: environment } = await inProject("POST", "/environments", {
      name: "Shelved with plugins",
      hostId: client.id,
      pluginVersionIds: [gone.id, kept.id],
    });
    const path = `/environments/${environment.id}`;
    await inProject("POST", `${path}/archive`, { expectedRevision: 1 });
    await inApp("DELETE", `/${gone.pluginId}`);
    await inApp("PUT", `/${kept.pluginId}/enabled`, { enabled: false });
    const restored = await inProject("POST", `${path}/restore`, { expectedRevision: 2 });
    expect(restored.body.pluginVersionIds).toEqual([kept.id]);
    expect((await inProject("GET", `${path}/resolve`)).body.details.code).toBe("ENV_PLUGIN_DISABLED");
    await inApp("PUT", `/${kept.pluginId}/enabled`, { enabled: true });
    expect((await inProject("GET", `${path}/resolve`)).status).toBe(200);
  });

  it("is refused without a manifest, with a path that climbs, and from whoever is no admin", async () => {
    expect((await upload({ "README.md": "x" })).body.details.code).toBe("INVALID_PLUGIN");
    expect((await upload(texts("x", { "a/../../b": "x" }))).body.details.code).toBe("UNSAFE_PATH");
    expect((await upload(texts("x"), "member")).status).toBe(403);
  });
});
