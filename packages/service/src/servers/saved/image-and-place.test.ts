import { PassThrough } from "node:stream";
import type { SandboxImageId, ServerId } from "@fettle/contract/core";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { connect, type StdioTarget } from "@fettle/mcp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { sandboxImageBuilds } from "../../core/tables/sandbox-images.ts";
import { type Engine, type FoundContainer, labelsFor } from "../../sandboxes/engine/engine.ts";
import { createHolder } from "../../sandboxes/engine/holder.ts";
import { createServerSandboxes } from "../../sandboxes/servers/server-sandboxes.ts";
import { goodBlueprint } from "../../testing/sandbox-images/inputs.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type World } from "../../testing/world.ts";
import { toldFailure } from "../live/failure.ts";
import { openEndpoint } from "./endpoint.ts";
import { requireImage } from "./server-image.ts";
import { findServer } from "./store.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: object) =>
  service.call(`/api/v1/projects/${world.projectId}${path}`, {
    method,
    key: world.people.admin.key,
    ...(body && { body }),
  });
const stdio = { transportType: "stdio", command: "node" };
const save = async (name: string, rest: object = stdio) =>
  (await call("POST", "/servers", { name, ...rest })).body;
const pinOf = async (id: string) => (await call("GET", `/servers/${id}`)).body.sandboxImageId;

/** Shared, and built as far as anybody asks who does not run it. */
async function sharedImage(name: string): Promise<SandboxImageId> {
  const { id } = (await call("POST", "/images", { name, blueprint: goodBlueprint })).body;
  await call("POST", `/images/${id}/promote`);
  const { db, now } = service.app;
  await db.insert(sandboxImageBuilds).values({
    id: newId("sandboxImageBuild", now()),
    projectId: world.projectId,
    imageId: id,
    contentHash: name,
    recipe: { base: "debian", initialize: [] },
    status: "ready",
    createdAt: new Date(now()),
  });
  return id;
}

/** Which one the server would run in now. */
async function chosen(id: ServerId): Promise<string> {
  // Nothing is asked of it: only what is written down decides.
  const engine = {} as Engine;
  const app = { ...service.app, sandboxes: { engine: async () => engine } };
  const row = (await findServer(service.app.db, world.projectId, id))!;
  return (await requireImage(app, row)).image.split(":").at(-1)!;
}

it("an image is kept: what was the only one when a server was saved or first ran stays its own when a second is shared", async () => {
  const early = await save("early");
  expect(await pinOf(early.id)).toBeUndefined();
  const asleep = await save("asleep");
  const first = await sharedImage("first");
  const saved = await save("saved");
  expect(saved.sandboxImageId).toBe(first);
  expect(await chosen(early.id)).toBe("first");
  expect(await pinOf(early.id)).toBe(first);

  const second = await sharedImage("second");
  expect([await chosen(early.id), await chosen(saved.id)]).toEqual(["first", "first"]);
  const late = await save("late");
  expect(late.sandboxImageId).toBeUndefined();
  for (const { id } of [asleep, late]) {
    await expect(chosen(id)).rejects.toMatchObject({
      status: 422,
      message: `The project shares several images, and this server does not say which it runs in: first (${first}) or second (${second}).`,
      details: {
        reason: "IMAGE_NOT_CHOSEN",
        choices: [
          { id: first, name: "first" },
          { id: second, name: "second" },
        ],
        hint: `Choose one: fettle cloud projects servers update --server ${id} --image ${first}`,
      },
    });
  }

  await call("PATCH", `/servers/${late.id}`, { sandboxImageId: second });
  await call("DELETE", `/images/${second}`);
  // What it opens its secrets in is chosen by a person, also when only one is left.
  await expect(chosen(late.id)).rejects.toMatchObject({
    status: 422,
    details: { reason: "IMAGE_NOT_READY", hint: expect.stringContaining("servers update --server") },
  });
});

it("environment values stay with the image they were entered for", async () => {
  const [here, there] = [await sharedImage("here"), await sharedImage("there")];
  const env = { API_KEY: "entered-for-here" };
  const { id } = await save("entrusted", { ...stdio, sandboxImageId: here, env });
  const change = (body: object) => call("PATCH", `/servers/${id}`, body);
  const valuesNow = async () => {
    const row = await findServer(service.app.db, world.projectId, id);
    return openEndpoint(service.app.vault, row!).env ?? {};
  };
  expect((await change({ name: "renamed", sandboxImageId: here })).body.credentialsDropped).toEqual([]);
  expect(await valuesNow()).toEqual(env);
  expect((await change({ sandboxImageId: there })).body.credentialsDropped).toEqual(["env"]);
  expect(await valuesNow()).toEqual({});
  expect((await change({ sandboxImageId: here, env })).body.credentialsDropped).toEqual([]);
  expect(await valuesNow(), "sent along, they are meant for the new one").toEqual(env);
  // By way of none, it would be another one in the end.
  expect((await change({ sandboxImageId: null })).body.credentialsDropped).toEqual(["env"]);
});

it("an image is nothing that a server with an address has, whether it is made, changed or moved there", async () => {
  const image = await sharedImage("of commands");
  const http = { transportType: "http", url: "https://mcp.example/mcp" };
  const refusal = {
    status: 422,
    body: {
      code: "FEATURE_NOT_SUPPORTED",
      message: "Only a server that is started by a command runs in an image; this one has an address.",
      details: {
        reason: "IMAGE_WITHOUT_COMMAND",
        path: "body.sandboxImageId",
        hint: 'Leave sandboxImageId out, or save a command: {"transportType": "stdio", "command": "…"}.',
      },
    },
  };
  expect(await call("POST", "/servers", { ...http, name: "web", sandboxImageId: image })).toMatchObject(
    refusal,
  );
  const { id } = await save("web", http);
  const change = (body: object) => call("PATCH", `/servers/${id}`, body);
  expect(await change({ sandboxImageId: image })).toMatchObject(refusal);
  expect((await change({ sandboxImageId: null })).status).toBe(200);
  const toCommand = { ...stdio, sandboxImageId: image };
  expect((await change(toCommand)).body).toMatchObject({ transportType: "stdio", sandboxImageId: image });
  expect(await change({ ...http, sandboxImageId: image })).toMatchObject(refusal);
  expect((await change(http)).body).not.toHaveProperty("sandboxImageId");
  await change(stdio);
  expect(await pinOf(id)).toBeUndefined();
});

it("a place is refused to the eleventh server of a project while ten are in use, and given when one is free", async () => {
  const { db, now, config } = service.app;
  const serverId = newId("server");
  const listed: Record<string, string>[] = [];
  let there: FoundContainer[] = [];
  let unused = 0;
  const engine = {
    containers: {
      list: async (labels: Record<string, string>) => {
        listed.push(labels);
        return there;
      },
    },
  } as unknown as Engine;
  const connections = {
    closeUnused: async () => void there.splice(0, unused),
  } as unknown as App["connections"];
  const holder = createHolder({ db, now });
  const sandboxes = createServerSandboxes({ holder, db });
  const { projectId } = world;
  const start = () =>
    sandboxes.starting({ config, connections }, { engine, image: "none", projectId, serverId });
  const container = (isRunning: boolean) => ({ id: "c", labels: {}, isRunning, createdAt: now() });
  const running = (count: number) => Array.from({ length: count }, () => container(true));

  there = [...running(sandboxLimits.serversPerProject - 1), container(false)];
  await expect(start()).resolves.toBeTypeOf("function");
  there = running(sandboxLimits.serversPerProject);
  await expect(start()).rejects.toMatchObject({
    status: 429,
    message: "A project has at most 10 servers running in containers, and all are in use.",
    retryAfter: 60,
    details: { reason: "SANDBOXED_SERVER_LIMIT" },
  });
  // One that nobody uses makes room, and so does one that has ended.
  unused = 1;
  await expect(start()).resolves.toBeTypeOf("function");
  expect(there).toHaveLength(sandboxLimits.serversPerProject - 1);
  unused = 0;
  there = [...running(sandboxLimits.serversPerProject - 1), container(false)];
  await expect(start()).resolves.toBeTypeOf("function");
  // Other projects have places of their own.
  for (const labels of listed) {
    expect(labels).toMatchObject(labelsFor("server"));
    expect(Object.values(labels)).toContain(projectId);
  }
  await holder.close();
});

it("the last place is taken once by those who start at the same moment, in one process and in another", async () => {
  const { db, now, config } = service.app;
  const { projectId } = world;
  const there = new Map<string, boolean>();
  const running = () => [...there.values()].filter(Boolean).length;
  const engine = {
    containers: {
      list: async () =>
        [...there].map(([id, isRunning]) => ({ id, labels: {}, isRunning, createdAt: now() })),
      create: async () => {
        const id = newId("process");
        there.set(id, false);
        return id;
      },
      attach: async () => new PassThrough(),
      start: async (id: string) => void there.set(id, true),
      wait: () => new Promise(() => {}),
      remove: async (id: string) => void there.delete(id),
    },
  } as unknown as Engine;
  const connections = { closeUnused: async () => {} } as unknown as App["connections"];
  const holder = createHolder({ db, now });
  const [one, other] = [createServerSandboxes({ holder, db }), createServerSandboxes({ holder, db })];
  for (let place = 1; place < sandboxLimits.serversPerProject; place++) there.set(`held ${place}`, true);

  // All four see a place that is free before any of them starts.
  const starts = await Promise.all(
    [one, one, other, other].map((sandboxes) =>
      sandboxes.starting(
        { config, connections },
        { engine, image: "none", projectId, serverId: newId("server") },
      ),
    ),
  );
  const target: StdioTarget = { kind: "stdio", command: "node", args: [], env: {} };
  const ends = await Promise.allSettled(starts.map((start) => start(target)));
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect(running()).toBe(sandboxLimits.serversPerProject);
  const refusals = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "RATE_LIMITED", status: 429 });
  // Told as such, though it was met while connecting.
  const met = await connect({ ...target, start: () => Promise.reject(refusals[0]) }).catch((error) => error);
  expect(toldFailure(met, { name: "shop" })).toBe(refusals[0]);
  await holder.close();
});
