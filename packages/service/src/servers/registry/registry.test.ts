import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeBrowser, makeGuestToken, makeKey, makeProject } from "../../testing/people.ts";
import { readDirectories } from "../../testing/registry/inputs.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";

const folder = mkdtempSync(join(tmpdir(), "fettle-registry-"));
const file = join(folder, "servers.json");
let requests = 0;
const shop = createServer((_request, response) => {
  requests += 1;
  response.end();
});
let service: TestService;
let world: World;
let guest: string;
let shopUrl: string;

const streamable = (url: string, more: object = {}) => ({ type: "streamable-http", url, ...more });

function servers(description = "Sells tea."): object[] {
  return [
    { name: "com.example/fixed", title: "Tea shop", description, remotes: [streamable(shopUrl)] },
    {
      name: "com.example/options",
      description: "Two regions.",
      remotes: [
        streamable("https://{region}.example.com/mcp", { variables: { region: { choices: ["us", "eu"] } } }),
      ],
    },
    {
      name: "com.example/tenant",
      description: "One for each customer.",
      remotes: [
        streamable("https://{tenant}.example.com/mcp?key={key}", {
          variables: { tenant: { isRequired: true }, key: { isSecret: true } },
          headers: [{ name: "X-Api-Key", isRequired: true, isSecret: true }],
        }),
      ],
    },
    {
      name: "com.example/package",
      description: "Runs on your machine.",
      packages: [{ registryType: "npm", identifier: "@example/mcp", transport: { type: "stdio" } }],
    },
    { name: "com.example/listing", description: "Says nothing." },
    { name: "com.example/script", description: "x", remotes: [streamable("javascript:alert(1)")] },
    { name: "com.example/pattern", description: "x", remotes: [streamable("{scheme}://{a}{b}")] },
    { name: "com.example/many-parts", description: "x", remotes: [streamable("https://{a}.{b}.{c}.{d}/")] },
  ];
}

async function publish(list: object[]): Promise<void> {
  writeFileSync(file, JSON.stringify({ servers: list.map((server) => ({ server })) }));
  await readDirectories(service.app);
}

beforeAll(async () => {
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/mcp`;
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000", FETTLE_REGISTRY_FILE: file } });
  world = await makeWorld(service.app.db);
  guest = await makeGuestToken(service.app.db);
  await publish(servers());
});
afterAll(async () => {
  await service.close();
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const keyOf = (person: PersonName) => world.people[person].key;
const directory = (path: string, key = keyOf("member")) =>
  service.call(`/api/v1/registry/directory-${path}`, { key });
const inProject = (
  path: string,
  body?: object,
  key = keyOf("member"),
  projectId = world.projectId as string,
) => service.call(`/api/v1/projects/${projectId}${path}`, { key, ...(body && { method: "POST", body }) });
const show = async (name: string) =>
  (await directory(`servers/${encodeURIComponent(`com.example/${name}`)}?source=file`)).body;
const install = async (name: string, more: object = {}) =>
  inProject("/registry/directory-installs", { catalogServerId: (await show(name)).id, ...more });
const namesOf = ({ items }: { items: { serverName: string }[] }) => items.map(({ serverName }) => serverName);
const newProject = () => makeProject(service.app.db, world.organizationId);

describe("who may", () => {
  it("lets a guest search, read and see sources, and makes no user of it", async () => {
    const count = () => service.app.pool.query("select count(*)::int as n from users");
    const before = (await count()).rows[0].n;
    expect((await directory("servers?q=tea", guest)).body).toMatchObject({
      mode: "search",
      items: [{ serverName: "com.example/fixed", displayName: "Tea shop", source: "file" }],
    });
    const sources = (await directory("sources", guest)).body.items;
    expect(sources).toMatchObject([
      { source: "file", liveCount: 8, skippedCount: 0, lastFault: null },
      { source: "samples", liveCount: 3 },
    ]);
    expect((await count()).rows[0].n).toBe(before);
  });

  const members = ["/registry/servers", "/registry/connections"];
  it.each(members)("keeps %s to those who see the project", async (path) => {
    const asked = await Promise.all(
      [keyOf("member"), guest, keyOf("stranger"), keyOf("guest")].map((key) =>
        inProject(path, undefined, key),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([200, 401, 404, 404]);
  });

  it("lets nobody else install, and changes nothing", async () => {
    const { id } = await show("fixed");
    const body = { catalogServerId: id };
    const asked = await Promise.all(
      [guest, keyOf("stranger"), keyOf("guest")].map((key) =>
        inProject("/registry/directory-installs", body, key),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([401, 404, 404]);
    expect((await inProject("/registry/connections")).body.items).toEqual([]);
  });
});

describe("searching", () => {
  it("browses page by page, each entry once, and holds a cursor to its filters", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await directory(`servers?limit=3&source=file${cursor}`);
      seen.push(...namesOf(body));
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
    } while (cursor);
    expect(seen).toHaveLength(8);
    expect(new Set(seen).size).toBe(8);
    const first = (await directory("servers?limit=1&source=file")).body.nextCursor;
    const other = await directory(`servers?limit=1&source=file&q=tea&cursor=${first}`);
    expect([other.status, other.body.details.code]).toEqual([400, "BAD_CURSOR"]);
  });

  const filters: [string, string[]][] = [
    ["source=file&rowType=package", ["package"]],
    ["source=file&rowType=listing", ["listing"]],
    ["source=file&endpointKind=options", ["options"]],
    ["source=file&endpointKind=tenant", ["tenant"]],
    ["source=file&verifiedTier=domain", ["options", "tenant"]],
    ["source=file&connectableOnly=true", ["fixed", "options", "tenant"]],
    ["source=all&q=TEA%20shop", ["fixed"]],
    ["q=%25", []],
    ["source=nowhere", []],
  ];
  it.each(filters)("%s", async (query, names) => {
    expect(namesOf((await directory(`servers?${query}`)).body)).toEqual(
      names.map((name) => `com.example/${name}`),
    );
  });

  it("stands those named so before those described so", async () => {
    expect(namesOf((await directory("servers?q=shop")).body).slice(0, 2)).toEqual([
      "com.example/fixed",
      "fettle.samples/bookshop",
    ]);
  });

  it("reads one by id, by name, and says when a name means two", async () => {
    const entry = await show("fixed");
    expect((await directory(`servers/${entry.id}`)).body).toEqual(entry);
    expect((await directory(`servers/${entry.id}?source=file`)).status).toBe(404);
    const name = encodeURIComponent("fettle.samples/bookshop");
    expect((await directory(`servers/${name}`)).body.source).toBe("samples");
    await publish([...servers(), { name: "fettle.samples/bookshop", description: "Another." }]);
    const two = await directory(`servers/${name}`);
    expect([two.status, two.body.details]).toMatchObject([400, { sources: ["file", "samples"] }]);
    expect((await directory(`servers/${name}?source=file`)).body.description).toBe("Another.");
    await publish(servers());
  });
});

describe("installing an entry", () => {
  it("writes a server with its provenance, once, and asks the server nothing", async () => {
    const { latestContentHash, id } = await show("fixed");
    const made = await install("fixed", { expectedContentHash: latestContentHash });
    expect([made.status, made.body]).toMatchObject([
      201,
      { outcome: "created", serverName: "com.example/fixed" },
    ]);
    const again = await install("fixed", { endpointUrl: shopUrl });
    expect(again.body).toEqual({ ...made.body, outcome: "reconnected" });
    const saved = await inProject(`/servers/${made.body.serverId}`);
    expect(saved.body).toMatchObject({
      url: shopUrl,
      provenance: { kind: "catalog", from: id, source: "file", contentHash: latestContentHash },
    });
    expect((await inProject("/registry/connections")).body.items).toMatchObject([
      { kind: "catalog", serverId: made.body.serverId, catalogServerId: id, endpointKind: "fixed" },
    ]);
    await service.call(`/api/v1/projects/${world.projectId}/servers/${made.body.serverId}`, {
      method: "DELETE",
      key: keyOf("member"),
    });
    expect((await inProject("/registry/connections")).body.items).toEqual([]);
    expect((await install("fixed")).body.outcome).toBe("created");
    expect(requests).toBe(0);
  });

  it("makes one server of two who install at once", async () => {
    const projectId = await newProject();
    const { id: catalogServerId } = await show("fixed");
    const both = await Promise.all(
      [1, 2].map(() =>
        inProject("/registry/directory-installs", { catalogServerId }, keyOf("member"), projectId),
      ),
    );
    expect(both.map(({ body }) => body.outcome).sort()).toEqual(["created", "reconnected"]);
  });

  it("takes one of several addresses, and another only once the first is gone", async () => {
    const us = { endpointUrl: "https://us.example.com/mcp" };
    expect((await install("options", us)).body.outcome).toBe("created");
    expect((await install("options", us)).body.outcome).toBe("reconnected");
    const other = await install("options", { endpointUrl: "https://eu.example.com/mcp" });
    expect([other.status, other.body.details.code]).toEqual([409, "already_connected_to_different_endpoint"]);
  });

  it("takes a tenant's own address and headers, and shows no value of either", async () => {
    const canary = "canary-7f3a";
    const made = await install("tenant", {
      endpointUrl: `https://acme.example.com/mcp?key=${canary}`,
      headers: { "X-Api-Key": canary },
      name: "Acme",
    });
    expect(made.body).toMatchObject({ outcome: "created", serverName: "Acme" });
    const saved = (await inProject(`/servers/${made.body.serverId}`)).body;
    expect(saved).toMatchObject({ url: "https://acme.example.com/mcp?key=***", headerNames: ["X-Api-Key"] });
    expect(JSON.stringify((await inProject("/registry/connections")).body)).not.toContain(canary);
    const { rows } = await service.app.pool.query("select to_jsonb(servers) as row from servers");
    expect(JSON.stringify(rows)).not.toContain(canary);
  });

  it("names the headers that the entry asks for as long as the server has not been given them", async () => {
    const projectId = await newProject();
    const { id: catalogServerId } = await show("tenant");
    const at = (more: object = {}) =>
      inProject(
        "/registry/directory-installs",
        { catalogServerId, endpointUrl: "https://acme.example.com/mcp?key=1", ...more },
        keyOf("member"),
        projectId,
      );
    const missingHeaders = [{ name: "X-Api-Key", isRequired: true, isSecret: true }];
    expect((await at()).body).toMatchObject({ outcome: "created", missingHeaders });
    expect((await at()).body).toMatchObject({ outcome: "reconnected", missingHeaders });
    expect((await at({ headers: { "x-api-key": "s" } })).body).not.toHaveProperty("missingHeaders");
    expect((await at()).body).not.toHaveProperty("missingHeaders");
  });

  it("refuses what has changed since it was looked at, and tells the new hash", async () => {
    const { latestContentHash } = await show("fixed");
    await publish(servers("Sells coffee."));
    const changed = await install("fixed", { expectedContentHash: latestContentHash });
    const now = (await show("fixed")).latestContentHash;
    expect(now).not.toBe(latestContentHash);
    expect([changed.status, changed.body.details]).toMatchObject([
      409,
      { code: "catalog_server_changed", latestContentHash: now },
    ]);
    await publish(servers());
    expect((await show("fixed")).latestContentHash).toBe(latestContentHash);
  });

  const refusals: [what: string, name: string, body: object, status: number, code: string][] = [
    ["no address where one is chosen", "options", {}, 400, "endpoint_url_required"],
    ["no address of a tenant", "tenant", {}, 400, "endpoint_url_required"],
    ["no address at all", "options", { endpointUrl: "us" }, 400, "endpoint_url_invalid"],
    ["a script", "options", { endpointUrl: "javascript:alert(1)" }, 400, "endpoint_url_invalid"],
    [
      "a password in it",
      "options",
      { endpointUrl: "https://u:p@us.example.com/mcp" },
      400,
      "endpoint_url_invalid",
    ],
    [
      "another for a fixed one",
      "fixed",
      { endpointUrl: "https://evil.example" },
      400,
      "endpoint_url_not_configurable",
    ],
    [
      "none of the options",
      "options",
      { endpointUrl: "https://evil.example" },
      400,
      "endpoint_url_not_allowed",
    ],
    [
      "another host",
      "tenant",
      { endpointUrl: "https://evil.test/.example.com/mcp?key=a" },
      400,
      "endpoint_url_not_allowed",
    ],
    [
      "more after it",
      "tenant",
      { endpointUrl: "https://a.example.com/mcp?key=a&b=c" },
      400,
      "endpoint_url_not_allowed",
    ],
    ["a package", "package", {}, 409, "catalog_server_not_connectable"],
    ["a script as address", "script", {}, 409, "catalog_server_not_connectable"],
    ["a bare listing", "listing", {}, 409, "catalog_server_missing_endpoint"],
    ["no sensible pattern", "pattern", {}, 409, "endpoint_pattern_unusable"],
    ["too many free parts", "many-parts", {}, 409, "endpoint_pattern_unusable"],
  ];
  it.each(refusals)("refuses %s", async (_what, name, body, status, code) => {
    const answer = await install(name, body);
    expect([answer.status, answer.body.details.code]).toEqual([status, code]);
  });

  it("refuses a taken name, an unknown entry, and one that was removed", async () => {
    const projectId = await newProject();
    const at = (body: object) => inProject("/registry/directory-installs", body, keyOf("member"), projectId);
    const { id: catalogServerId } = await show("fixed");
    await inProject(
      "/servers",
      { name: "Mine", transportType: "http", url: shopUrl },
      keyOf("member"),
      projectId,
    );
    const taken = await at({ catalogServerId, name: "mine" });
    expect([taken.status, taken.body.details.code]).toEqual([409, "server_name_conflict"]);
    const unknown = await at({ catalogServerId: "cts_missing" });
    expect([unknown.status, unknown.body.details.code]).toEqual([404, "catalog_server_not_found"]);
    await publish(servers().slice(1));
    const removed = await at({ catalogServerId });
    expect([removed.status, removed.body.details.code]).toEqual([409, "catalog_server_removed"]);
    expect((await directory(`servers/${catalogServerId}`)).body.unavailableReason).toBe("removed");
    expect(namesOf((await directory("servers?q=tea")).body)).toEqual([]);
    await publish(servers());
    expect((await at({ catalogServerId })).body.outcome).toBe("created");
  });
});

describe("a card", () => {
  const save = (person: PersonName, name: string, over: object = {}) =>
    service.call(`/app/organizations/${world.organizationId}/registry-cards/${encodeURIComponent(name)}`, {
      method: "PUT",
      headers: { cookie: world.people[person].cookie, "x-fettle-app": "1" },
      body: { url: shopUrl, ...over },
    });
  const installCard = (
    registryServerId: string,
    more: object = {},
    key = keyOf("member"),
    projectId?: string,
  ) => inProject("/registry/installs", { registryServerId, ...more }, key, projectId);

  it("waits for an admin when a member proposes it, then everybody installs it", async () => {
    const proposed = await save("member", "tea", { displayName: "Tea" });
    expect(proposed.body).toMatchObject({ scope: "organization", status: "pending" });
    const early = await installCard(proposed.body.id);
    expect([early.status, early.body.details.code]).toEqual([403, "registry_server_not_approved"]);
    const approved = await save("admin", "tea", { displayName: "Tea", tags: ["drinks"] });
    expect(approved.body).toMatchObject({ id: proposed.body.id, status: "approved", tags: ["drinks"] });
    expect((await save("member", "tea")).status).toBe(403);
    const { id, updatedAt } = approved.body;
    const stale = await installCard(id, { expectedUpdatedAt: updatedAt - 1 });
    expect([stale.status, stale.body.details]).toMatchObject([
      409,
      { code: "registry_server_changed", updatedAt },
    ]);
    const made = await installCard(id, { expectedUpdatedAt: updatedAt });
    expect([made.status, made.body]).toMatchObject([201, { serverName: "Tea", outcome: "created" }]);
    expect((await installCard(id)).body.outcome).toBe("reconnected");
    expect((await inProject("/registry/connections")).body.items[0]).toMatchObject({
      kind: "registry",
      scope: "organization",
      registryServerId: id,
    });
    const clash = await save("admin", "tea-2", { displayName: "Tea" });
    const refused = await installCard(clash.body.id);
    expect([refused.status, refused.body.details.code]).toEqual([409, "registry_server_name_conflict"]);
    const listed = async (scope: string) =>
      (await inProject(`/registry/servers?scope=${scope}`)).body.items.length;
    expect([await listed("organization"), await listed("global"), await listed("all")]).toEqual([2, 0, 2]);
    expect(requests).toBe(0);
  });

  it("is missing for another organization, and named for whoever belongs to both", async () => {
    const { body: card } = await save("admin", "ours");
    const { db } = service.app;
    const { rows } = await service.app.pool.query(
      "select organization_id as id from organization_members where user_id = $1",
      [world.people.stranger.userId],
    );
    const elsewhere = await makeProject(db, rows[0].id);
    const strange = await installCard(card.id, {}, keyOf("stranger"), elsewhere);
    expect([strange.status, strange.body.details.code]).toEqual([404, "registry_server_not_found"]);
    await db.execute(sql`insert into organization_members (organization_id, user_id, role)
      values (${world.organizationId}, ${world.people.stranger.userId}, 'member')`);
    const bound = await makeKey(db, rows[0].id, world.people.stranger.userId);
    expect((await installCard(card.id, {}, bound, elsewhere)).status).toBe(404);
    const cookie = await makeBrowser(db, world.people.stranger.userId);
    const both = await service.call(`/api/v1/projects/${elsewhere}/registry/installs`, {
      method: "POST",
      headers: { cookie, "x-fettle-app": "1" },
      body: { registryServerId: card.id },
    });
    expect([both.status, both.body.details.code]).toEqual([403, "registry_project_org_mismatch"]);
  });

  it("holds no credential, and goes without its servers", async () => {
    expect((await save("admin", "leaky", { url: "https://mcp.example/?api_key=abcdef123456" })).status).toBe(
      400,
    );
    const remove = () =>
      service.call(`/app/organizations/${world.organizationId}/registry-cards/tea`, {
        method: "DELETE",
        headers: { cookie: world.people.admin.cookie, "x-fettle-app": "1" },
      });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(namesOf((await inProject("/registry/connections")).body)).toContain("Tea");
  });
});
