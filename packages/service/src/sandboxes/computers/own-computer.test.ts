import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { beginComputer, updateGeneration } from "./store.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_SANDBOX_ENGINE: "off" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const read = async (person: PersonName) =>
  (
    await service.call(`/app/projects/${world.projectId}/computer`, {
      headers: { cookie: world.people[person].cookie, "x-fettle-app": "1" },
    })
  ).body;

/** Of an image that is no more. */
const begin = (person: PersonName) => {
  const at = new Date(service.app.now());
  return beginComputer(service.app.db, {
    id: newId("computer"),
    projectId: world.projectId,
    userId: world.people[person].userId,
    imageId: null,
    contentHash: "0",
    base: "debian@sha256:0",
    lastUsedAt: at,
    createdAt: at,
  });
};

it("without a container engine one is told what to install before anything is tried", async () => {
  expect(await read("member")).toEqual({
    missingEngine: {
      message: expect.stringContaining("no container engine"),
      hint: expect.stringContaining("podman"),
    },
    computer: null,
  });
});

it("a computer whose image was deleted sleeps from that moment on", async () => {
  const row = await begin("admin");
  await updateGeneration(service.app.db, row, { status: "ready" });
  expect((await read("admin")).computer).toMatchObject({ status: "asleep", imageId: null });
});

it("a person sees their own computer, with why it failed, and nobody else's", async () => {
  const row = await begin("member");
  expect((await read("member")).computer).toMatchObject({ status: "provisioning", imageId: null });
  await updateGeneration(service.app.db, row, { status: "failed", error: "It wrote too much." });
  expect((await read("member")).computer).toEqual({
    id: row.id,
    status: "failed",
    error: "It wrote too much.",
    imageId: null,
    base: "debian@sha256:0",
    lastUsedAt: row.lastUsedAt.getTime(),
    createdAt: row.createdAt.getTime(),
  });
  expect((await read("owner")).computer).toBeNull();
});
