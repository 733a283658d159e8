/** @module The commands on clients, environments and skills against the real service. */

import type { Serving } from "@fettle/service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { testWorld } from "../../testing/world.ts";

let deployment: CloudService;
let service: Serving;

beforeAll(async () => {
  deployment = await startCloudService();
  service = deployment.service;
});

afterAll(() => deployment?.stop());

async function cloud(...argv: string[]) {
  const env = { FETTLE_API_KEY: service.apiKey!, FETTLE_API_URL: service.url, NO_COLOR: "1" };
  const { fettle } = await testWorld({ env });
  const { stdout, stderr, exitCode } = await fettle("cloud", ...argv, "--quiet");
  return { exitCode, body: exitCode === 0 ? JSON.parse(stdout) : JSON.parse(stderr).error };
}

describe("clients", () => {
  test("their templates are told with no credential and nobody to ask", async () => {
    const { fettle } = await testWorld({ env: { FETTLE_API_URL: "http://127.0.0.1:9" } });
    const { stdout, exitCode } = await fettle("cloud", "clients", "templates");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).items).toHaveLength(16);
    expect(JSON.parse(stdout).items[1]).toEqual({ id: "claude", label: "Claude" });
  });

  test("are made, found by name, changed field by field, copied and deleted", async () => {
    const made = await cloud(
      "clients",
      "create",
      "--name",
      "Desk",
      "--template",
      "claude",
      "--theme",
      "light",
    );
    expect(made.body).toMatchObject({ name: "Desk", config: { hostStyle: "claude" } });
    expect((await cloud("hosts", "list")).body.items).toContainEqual(
      expect.objectContaining({ id: made.body.id }),
    );
    const set = ["--set", "temperature=0.2", "systemPrompt=0.5", "--unset", "mcpProfile"];
    const expected = ["--expected-config-id", made.body.configId];
    const changed = await cloud("clients", "update", "--client", "desk", ...expected, ...set);
    expect(changed.body.config).toMatchObject({ temperature: 0.2, systemPrompt: "0.5" });
    expect(changed.body.config.mcpProfile).toBeUndefined();
    const stale = await cloud("clients", "update", "--client", "desk", ...expected, ...set);
    expect(stale).toMatchObject({
      exitCode: 1,
      body: { code: "CONFLICT", details: { currentConfigId: changed.body.configId } },
    });
    const current = ["--expected-config-id", changed.body.configId];
    const bare = await cloud("clients", "servers", "--client", "Desk", "--server-ids", "", ...current);
    expect(bare.body.configId).toBe(changed.body.configId);
    const copy = await cloud("clients", "duplicate", "--host", "Desk", "--name", "Copy");
    expect(copy.body.configId).toBe(changed.body.configId);
    expect((await cloud("clients", "delete", "--client", "Copy", "--yes")).body).toMatchObject({
      id: copy.body.id,
      deleted: true,
    });
  });

  test.each([
    ["a text for a number", ["update", "--client", "x", "--set", 'temperature="x"'], "a number"],
    ["a number beyond all doubles", ["update", "--client", "x", "--set", "temperature=1e400"], "a double"],
    ["no expected config", ["update", "--client", "x", "--set", "temperature=1"], "--expected-config-id"],
    ["no expected name", ["update", "--client", "x", "--name", "y"], "--expected-name"],
    ["nothing to change", ["update", "--client", "x"], "Say what to change"],
    ["fields and a config", ["update", "--client", "x", "--json", "{}", "--unset", "harness"], "not both"],
    ["both spellings", ["get", "--client", "x", "--host", "y"], "old spelling"],
    ["no client", ["get"], "--client is required"],
    ["an unknown template", ["create", "--name", "x", "--template", "nobody"], "--template is one of fettle"],
    ["neither template nor config", ["create", "--name", "x"], "Say what to make it from"],
    ["both", ["create", "--name", "x", "--template", "claude", "--json", "{}"], "Say what to make it from"],
  ])("%s is a usage error", async (_what, argv, message) => {
    const { exitCode, body } = await cloud("clients", ...argv);
    expect(exitCode).toBe(2);
    expect(body.message).toContain(message);
  });
});

test("a number beyond all doubles in a whole config is refused by the service, never taken for null", async () => {
  const config = '{"modelId":"m","temperature":1e400}';
  const { body } = await cloud("clients", "create", "--name", "Hot", "--json", config);
  expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: { path: "body.config.temperature" } });
});

test("environments are composed, named, changed, archived and restored", async () => {
  const { body: client } = await cloud("clients", "create", "--name", "Runner", "--template", "fettle");
  const compose = ["environments", "ensure-adhoc", "--host", "runner", "--model", "fettle/rules-1"];
  const first = await cloud(...compose);
  const again = await cloud(...compose);
  expect([first.body.created, again.body.created]).toEqual([true, false]);
  const { id } = first.body.environment;
  expect(again.body.environment.id).toBe(id);

  const named = await cloud(
    "environments",
    "name",
    "--environment",
    id,
    "--name",
    "Kept",
    "--expected-revision",
    "1",
  );
  expect(named.body).toMatchObject({ id, name: "Kept", revision: 2 });
  const target = ["--environment", "kept"];
  const cleared = await cloud(
    "environments",
    "update",
    ...target,
    "--expected-revision",
    "2",
    "--clear-model",
  );
  expect(cleared.body.modelId).toBeUndefined();
  const empty = ["--expected-revision", "3", "--json", '{"pluginVersionIds":[]}'];
  expect((await cloud("environments", "update", ...target, ...empty)).body).toMatchObject({
    code: "VALIDATION_ERROR",
    details: { code: "EMPTY_PIN" },
  });
  const stale = await cloud("environments", "archive", ...target, "--expected-revision", "1");
  expect(stale).toMatchObject({ exitCode: 1, body: { code: "CONFLICT", details: { currentRevision: 3 } } });
  expect((await cloud("environments", "resolve", ...target)).body.details.code).toBe("ENV_NO_SERVERS");
  expect((await cloud("environments", "archive", ...target, "--expected-revision", "3")).body.archived).toBe(
    true,
  );
  const taken = await cloud(
    "environments",
    "create",
    "--name",
    "Kept",
    "--json",
    `{"hostId":"${client.id}"}`,
  );
  expect(taken.exitCode).toBe(0);
  const restored = await cloud("environments", "restore", "--environment", id, "--expected-revision", "4");
  expect(restored.body.details.code).toBe("NAME_TAKEN");
  const listed = await cloud("environments", "list", "--include-archived");
  expect(listed.body.project).toMatchObject({
    id: expect.any(String),
    organizationId: service.organizationId,
  });
  expect(listed.body.items.map((item: { id: string }) => item.id)).toContain(id);
  expect((await cloud("environments", "get", "--environment", "Kept")).body.id).toBe(taken.body.id);
  expect((await cloud("environments", "create", "--name", "x")).exitCode).toBe(2);
});

test("an archived environment is restored by its name, unless a live one has it", async () => {
  const { body: client } = await cloud("clients", "create", "--name", "Shelver", "--template", "fettle");
  const make = ["environments", "create", "--name", "Shelf", "--json", JSON.stringify({ hostId: client.id })];
  const at = (command: string, revision: string) =>
    cloud("environments", command, "--environment", "shelf", "--expected-revision", revision);
  const { body: first } = await cloud(...make);
  const live = await at("restore", "1");
  expect(live.body).toMatchObject({
    code: "NOT_FOUND",
    message: 'No archived environment has the id or name "shelf".',
  });
  await at("archive", "1");
  const { body: second } = await cloud(...make);
  expect((await at("restore", "2")).body.details.code).toBe("NAME_TAKEN");
  await cloud(
    "environments",
    "update",
    "--environment",
    second.id,
    "--name",
    "Other shelf",
    "--expected-revision",
    "1",
  );
  expect((await at("restore", "2")).body).toMatchObject({ id: first.id, archived: false });
});

test("skills are listed and looked for", async () => {
  expect((await cloud("skills", "list")).body.items).toEqual([]);
  expect((await cloud("skills", "get", "--skill", "none")).body.code).toBe("NOT_FOUND");
});
