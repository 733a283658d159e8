import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let key: string;
let base: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  const organization = await makeOrganization(service.app.db, "Acme");
  const person = await makeMember(service.app.db, organization, "member");
  key = await makeKey(service.app.db, organization, person);
  base = `/api/v1/projects/${await makeProject(service.app.db, organization)}/servers`;
});
afterAll(() => service.close());

const add = (body: object) => service.call(base, { method: "POST", key, body });
const change = (id: string, body: object) => service.call(`${base}/${id}`, { method: "PATCH", key, body });
const http = { transportType: "http", url: "https://mcp.example/mcp" };

describe("saving a server", () => {
  it("keeps its secrets out of every answer and out of the row", async () => {
    const made = await add({
      ...http,
      name: "Canary",
      url: "https://mcp.example/mcp?k=canary-query",
      headers: { "X-Api-Key": "canary-header" },
      clientSecret: "canary-secret",
      useOAuth: true,
      clientId: "public",
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "Canary",
        enabled: true,
        transportType: "http",
        url: "https://mcp.example/mcp?k=***",
        headerNames: ["X-Api-Key"],
        hasClientSecret: true,
        useOAuth: true,
      },
    });
    const one = await service.call(`${base}/${made.body.id}`, { key });
    const all = await service.call(base, { key });
    const { rows } = await service.app.pool.query("SELECT * FROM servers");
    expect(JSON.stringify([made.body, one.body, all.body, rows])).not.toContain("canary-");
  });

  it("refuses a second one of the same name, whatever its case, also when both come at once", async () => {
    const answers = await Promise.all(["Twin", "TWIN", "twin"].map((name) => add({ ...http, name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "CONFLICT",
      details: { code: "NAME_TAKEN" },
    });
  });

  it.each([
    ["an HTTP server without an address", { name: "x", transportType: "http" }, "url"],
    ["a stdio server without a command", { name: "x", transportType: "stdio" }, "command"],
    [
      "an address that is no web address",
      { name: "x", transportType: "http", url: "file:///etc/passwd" },
      "url",
    ],
    ["an address with a password inside", { ...http, name: "x", url: "https://u:p@mcp.example/" }, "url"],
    ["a header that would split the request", { ...http, name: "x", headers: { a: "b\r\nc: d" } }, "headers"],
    ["a field nobody knows", { ...http, name: "x", projectId: "proj_other" }, "projectId"],
  ])("refuses %s and says where", async (_what, body, field) => {
    const answer = await add(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe("VALIDATION_ERROR");
    expect(JSON.stringify(answer.body.details)).toContain(field);
  });
});

describe("changing a server", () => {
  it("changes only what is sent, and forgets the other transport's secrets", async () => {
    const { body: made } = await add({ ...http, name: "Moves", headers: { a: "1" }, timeout: 5000 });
    expect((await change(made.id, { name: "Moved" })).body).toMatchObject({
      name: "Moved",
      url: "https://mcp.example/mcp",
      headerNames: ["a"],
    });
    expect((await change(made.id, { transportType: "stdio" })).status).toBe(400);
    expect((await change(made.id, { transportType: "stdio", command: "node" })).body).toMatchObject({
      transportType: "stdio",
      url: null,
      headerNames: [],
    });
  });

  it("sets or clears the client secret, never both at once", async () => {
    const { body: made } = await add({ ...http, name: "Secretive", clientSecret: "s" });
    expect((await change(made.id, { clientSecret: "t", clearClientSecret: true })).status).toBe(400);
    expect((await change(made.id, { clearClientSecret: true })).body.hasClientSecret).toBe(false);
  });
});

describe("deleting a server", () => {
  it("takes it away, frees its name, and reads as missing afterwards", async () => {
    const { body: made } = await add({ ...http, name: "Brief" });
    const gone = await service.call(`${base}/${made.id}`, { method: "DELETE", key });
    expect(gone.body).toMatchObject({ id: made.id, deleted: true });
    expect((await service.call(`${base}/${made.id}`, { key })).status).toBe(404);
    expect((await change(made.id, { name: "Again" })).status).toBe(404);
    expect((await add({ ...http, name: "Brief" })).status).toBe(201);
  });
});
