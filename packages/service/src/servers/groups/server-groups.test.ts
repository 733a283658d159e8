import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let admin: string;
let member: string;
let project: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  admin = await makeKey(db, organization, await makeMember(db, organization, "admin"));
  member = await makeKey(db, organization, await makeMember(db, organization, "member"));
  project = `/api/v1/projects/${await makeProject(db, organization)}`;
});
afterAll(() => service.close());

const call = (path: string, method: string, body?: object, key = admin) =>
  service.call(`${project}${path}`, { method, key, ...(body && { body }) });

async function save(name: string): Promise<string> {
  const { body } = await call("/servers", "POST", {
    name,
    transportType: "http",
    url: "https://mcp.example/mcp",
  });
  return body.id;
}

it("lists groups exactly as the specification's table says", async () => {
  const [one, two] = [await save("Orders"), await save("Stock")];
  const made = await call("/server-groups", "POST", {
    name: "Shop",
    serverIds: [two, one],
    description: "Both",
  });
  expect(made.status).toBe(201);
  const { status, body } = await call("/server-groups", "GET", undefined, member);
  expect(status).toBe(200);
  expect(body).toEqual({
    items: [
      {
        id: made.body.id,
        name: "Shop",
        serverIds: [two, one],
        serverNames: ["Stock", "Orders"],
        description: "Both",
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
      },
    ],
  });
});

it("takes null for a description that there is none of", async () => {
  const wanted = { name: "Bare", serverIds: [await save("Alone")], description: null };
  const { status, body } = await call("/server-groups", "POST", wanted);
  expect([status, body.name, "description" in body]).toEqual([201, "Bare", false]);
});

it("keeps a group as it was made when its servers are renamed or deleted", async () => {
  const [renamed, deleted] = [await save("Before"), await save("Doomed")];
  await call("/server-groups", "POST", { name: "Frozen", serverIds: [renamed, deleted] });
  const frozen = async () =>
    (await call("/server-groups", "GET")).body.items.find(({ name }: { name: string }) => name === "Frozen");
  const before = await frozen();
  await call(`/servers/${renamed}`, "PATCH", { name: "After" });
  await call(`/servers/${deleted}`, "DELETE");
  expect(await frozen()).toEqual(before);
});

it("refuses servers that are unknown, deleted, elsewhere or named twice, and a taken name", async () => {
  const server = await save("Only");
  const gone = await save("Gone");
  await call(`/servers/${gone}`, "DELETE");
  const refused = await call("/server-groups", "POST", { name: "x", serverIds: [server, gone, "srv_other"] });
  expect([refused.status, refused.body.details.unknownServerIds]).toEqual([400, [gone, "srv_other"]]);
  expect((await call("/server-groups", "POST", { name: "x", serverIds: [server, server] })).status).toBe(400);
  expect((await call("/server-groups", "POST", { name: "x", serverIds: [] })).status).toBe(400);
  const twice = await Promise.all(
    ["Race", "RACE"].map((name) => call("/server-groups", "POST", { name, serverIds: [server] })),
  );
  expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it("is made by project admins alone", async () => {
  const server = await save("Guarded");
  const refused = await call("/server-groups", "POST", { name: "y", serverIds: [server] }, member);
  expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
});
