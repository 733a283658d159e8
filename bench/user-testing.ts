/**
 * @module Ten thousand visitors' sessions in the built service, asked over HTTP: how long looking for problems takes among them and
 * what it holds, and how fast the scenario, its sessions and one transcript are read. The sessions are copies of really played ones.
 */
import { setTimeout as delay } from "node:timers/promises";
import { idOf } from "../packages/contract/src/core/index.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import { openSampleWorkspace } from "../packages/service/src/start/sample/workspace.ts";
import { copySession } from "../packages/service/src/testing/planted-sessions.ts";
import type { Bench, Row } from "./bench.ts";
import { memoryOf } from "./memory.ts";
import { at, fill, inFolder, openShop, startUnlimited, timed } from "./opening.ts";
import type { ServiceProcess } from "./service-process.ts";

const few = 1_000;
const many = 10_000;
/** As many as are looked at in one window. */
const whole = 500;
const reads = 300;

export const userTestingBench: Bench = {
  name: "user-testing",
  run: () =>
    inFolder(async (folder) => {
      await using shop = await openShop();
      const sample = must(
        await fill(folder, (app) => openSampleWorkspace(app, shop.url)),
        "a sample workspace",
      );
      const service = await startUnlimited(folder);
      try {
        const ask = asking(service, sample);
        await ask.played();
        return await measure(service, folder, ask);
      } finally {
        await service.stop();
      }
    }),
};

type Sample = NonNullable<Awaited<ReturnType<typeof openSampleWorkspace>>>;
type Asking = ReturnType<typeof asking>;

function asking({ url }: ServiceProcess, { projectId, apiKey }: Sample) {
  const call = async (path: string, method = "GET", body?: object) => {
    const answer = await fetch(`${url}/api/v1/projects/${projectId}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    // biome-ignore lint/suspicious/noExplicitAny: what is read of it would fail loudly
    return answer.json() as Promise<any>;
  };
  const until = async (id: string, isDone: (insights: { status: string }) => boolean) => {
    while (!isDone((await call(`/user-testing/scenarios/${id}`)).insights)) await delay(20);
  };
  return {
    call,
    /** The sample's own visitors have come and gone, and were looked at. */
    played: async () => {
      let first: { id: string } | undefined;
      while (!first) {
        [first] = (await call("/scenarios")).items;
        await delay(50);
      }
      await until(first.id, ({ status }) => status === "completed");
    },
    /** How long looking for problems took in all of these, one after the other. */
    mined: (ids: readonly string[]) =>
      timed(async () => {
        for (const id of ids) {
          await call(`/user-testing/scenarios/${id}/insights`, "POST", {});
          await until(id, ({ status }) => status === "completed");
        }
      }),
  };
}

/** Scenarios with so many sessions each. */
async function plant(folder: string, { call }: Asking, counts: readonly number[]): Promise<string[]> {
  const [sample] = (await call("/scenarios")).items;
  const { items: played } = await call(`/user-testing/scenarios/${sample.id}/sessions`);
  const { hostId } = await call(`/environments/${sample.environmentId}`);
  const ids: string[] = [];
  for (const count of counts) {
    const environment = await call("/environments", "POST", { name: `Bench ${crypto.randomUUID()}`, hostId });
    const { id } = await call(`/environments/${environment.id}/scenario`, "PUT", {});
    ids.push(id);
    const copies = count / played.length;
    await fill(
      folder,
      async (app) => {
        for (const session of played) {
          await copySession(
            app,
            idOf<"chatSession">().parse(session.id),
            copies,
            idOf<"scenario">().parse(id),
          );
        }
      },
      "attach",
    );
  }
  return ids;
}

async function measure(service: ServiceProcess, folder: string, ask: Asking): Promise<Row[]> {
  const scenarios = (sessions: number) => Array.from({ length: sessions / whole }, () => whole);
  const [large, ...rest] = await plant(folder, ask, [many, ...scenarios(few), ...scenarios(many)]);
  const [warm, ...small] = rest.splice(0, few / whole + 1);
  await ask.mined([must(warm, "a scenario to warm up with")]);
  const before = memoryOf(service.pid);
  const fewMs = (await ask.mined(small)) * (few / whole / small.length);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(service.pid));
  }, 200);
  const manyMs = (await ask.mined(rest)) * (many / whole / rest.length);
  const capped = await ask.mined([must(large, "the large scenario")]);
  clearInterval(watch);
  const scenario = `/user-testing/scenarios/${large}`;
  const { coverage } = (await ask.call(scenario)).insights;
  const [session] = (await ask.call(`${scenario}/sessions`)).items;
  return [
    { what: "sessions looked at, by the second", value: many / (manyMs / 1000), unit: "/s" },
    {
      what: "time for 10,000 sessions of many scenarios, in times of 1,000",
      value: manyMs / fewMs,
      unit: "x",
      goal: { atMost: 15 },
    },
    { what: "a window of 10,000, of which the newest 500 are looked at", value: capped, unit: "ms" },
    { what: "sessions that its coverage tells of", value: coverage.total, unit: "" },
    {
      what: "memory of the service, more than before, while 10,000 are looked at",
      value: most - before,
      unit: "MiB",
      goal: { atMost: 256 },
    },
    await p95("reading a scenario of 10,000 sessions", () => ask.call(scenario)),
    await p95("a page of 50 of its sessions", () => ask.call(`${scenario}/sessions?limit=50`)),
    await p95("a transcript of one", () => ask.call(`${scenario}/sessions/${session.id}`)),
  ];
}

async function p95(what: string, read: () => Promise<unknown>): Promise<Row> {
  const times: number[] = [];
  for (let asked = 0; asked < reads; asked += 1) times.push(await timed(read));
  return { what: `p95 of ${what}`, value: at(times, 0.95), unit: "ms", goal: { atMost: 50 } };
}
