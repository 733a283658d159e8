/** @module The project commands against the real service. */

import type { Serving } from "@fettle/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { testWorld } from "../../testing/world.ts";

let deployment: CloudService;
let service: Serving;

beforeAll(async () => {
  deployment = await startCloudService();
  service = deployment.service;
});

afterAll(() => deployment?.stop());

async function world(terminal?: number) {
  const env = { FETTLE_API_KEY: service.apiKey!, FETTLE_API_URL: service.url, NO_COLOR: "1" };
  return testWorld({ env, ...(terminal && { terminal }) });
}

test("a project is made, found by name, changed and deleted", async () => {
  const { fettle } = await world();
  const json = async (...argv: string[]) => JSON.parse((await fettle("cloud", "projects", ...argv)).stdout);
  const made = await json("create", "--name", "Zeta", "--description", "A try");
  expect(made).toMatchObject({ name: "Zeta", description: "A try", organizationId: service.organizationId });
  expect((await json("list")).items.map(({ name }: { name: string }) => name)).toContain("Zeta");

  const changed = await json("update", "--project", "zeta", "--name", "Eta", "--visibility", "private");
  expect(changed).toMatchObject({ id: made.id, name: "Eta", visibility: "private", description: "A try" });

  expect(await json("delete", "--yes", "--project", made.id)).toEqual({ id: made.id, deleted: true });
  const { stderr, exitCode } = await fettle(
    "cloud",
    "projects",
    "delete",
    "--yes",
    "--project",
    made.id,
    "--quiet",
  );
  expect(JSON.parse(stderr).error.code).toBe("NOT_FOUND");
  expect(exitCode).toBe(1);
});

test("people see what was done, and to which project", async () => {
  const { fettle } = await world(80);
  const made = await fettle("cloud", "projects", "create", "--name", "Theta");
  expect(made.stdout).toMatch(/^✓ Created Theta \(\w+\)\n$/);
  expect(made.stderr).toMatch(/\nNext: fettle cloud link \w+\n$/);
  const deleted = await fettle("cloud", "projects", "delete", "--yes", "--project", "Theta");
  expect(deleted.stdout).toMatch(/^✓ Deleted Theta \(\w+\) and everything in it\n$/);
  expect(deleted.stderr).toContain(" · project: --project · ");
});

test.each([
  ["nothing to change", ["update", "--project", "x"], "Say what to change"],
  ["no project", ["delete"], "--project is required"],
  ["too long a name", ["create", "--name", "x".repeat(300)], "characters, and this has 300."],
  ["no name", ["create"], "--name is required"],
  [
    "an unknown visibility",
    ["create", "--name", "x", "--visibility", "hidden"],
    "--visibility is one of public, private",
  ],
])("%s is a usage error", async (_, argv, message) => {
  const { stderr, exitCode } = await (await world()).fettle("cloud", "projects", ...argv);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toContain(message);
});

test("what the service refuses is passed on with its code and details", async () => {
  const { fettle } = await world();
  const argv = ["cloud", "clients", "create", "--name", "x", "--json", '{"temperature":"warm"}', "--quiet"];
  const { stderr, exitCode } = await fettle(...argv);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr).error).toMatchObject({ code: "VALIDATION_ERROR", details: expect.anything() });
});
