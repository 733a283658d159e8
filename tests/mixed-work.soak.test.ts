/**
 * @module Eval runs, swarm waves, visitors and conformance runs on two `fettle serve` and two `fettle work`, of which one is killed
 * every twenty seconds and one is stopped in between. Twenty minutes; `FETTLE_SOAK_MINUTES` says otherwise.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startBookshop } from "@fettle/samples";
import { expect, it } from "vitest";
import { newId } from "../packages/service/src/core/id.ts";
import { signedInBrowser } from "../packages/service/src/testing/browser.ts";
import { testDatabase } from "../packages/service/src/testing/database.ts";
import { type EvalBench, evalBench } from "../packages/service/src/testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../packages/service/src/testing/eval-stub.ts";
import { askCase, saveServer } from "../packages/service/src/testing/eval-suite.ts";
import { startProcess, type TestProcess } from "../packages/service/src/testing/process.ts";
import type { Answer, Request, TestService } from "../packages/service/src/testing/service.ts";
import { brief, journeysOf } from "../packages/service/src/testing/swarms/journey-bench.ts";
import { visitedEnvironment, visitor } from "../packages/service/src/testing/visiting.ts";

const minutes = Number(process.env.FETTLE_SOAK_MINUTES ?? 20);
const betweenKillsMs = 20_000;
/** A lease, and a start of a process on a busy machine. */
const settleMs = 240_000;
const pricedModel = "custom:priced:stub";
const fettle = join(import.meta.dirname, "..", "packages", "cli", "bin", "fettle.mjs");

it(`${minutes} minutes of mixed work under kills and stops: nothing is lost, no wave is partial, every model call is in the ledger`, {
  timeout: minutes * 60_000 + 2 * settleMs + 60_000,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const stage = await openStage(stack);
  const { bench, stub } = stage;
  let asked = 0;
  stub.modelMs = 40;
  stub.onModel = (_, body) => {
    asked += 1;
    return brief(body);
  };
  const processes = await startAll(stack, stage);
  const deadline = Date.now() + minutes * 60_000;
  const isOver = () => Date.now() > deadline;
  const done = { evalRuns: 0, waves: 0, sessions: 0, messages: 0, conformanceRuns: 0, kills: 0, stops: 0 };
  const work = [
    ...Array.from({ length: 2 }, () => evalLoop(stage, done, isOver)),
    ...Array.from({ length: 2 }, () => waveLoop(stage, done, isOver)),
    ...Array.from({ length: 3 }, () => visitorLoop(stage, done, isOver)),
    conformanceLoop(stage, done, isOver),
    killLoop(processes, done, isOver),
  ];
  await Promise.all(work);

  const count = async (text: string): Promise<number> =>
    (await bench.service.app.db.$client.query(`select count(*)::int as count from ${text}`)).rows[0].count;
  // Whatever was still on its way to the ledger when the last process was killed.
  await expect
    .poll(() => count("model_spend").then((settled) => settled <= asked), { timeout: settleMs })
    .toBe(true);
  const [settled, unsettled] = [await count("model_spend"), await count("model_intents")];
  console.log(JSON.stringify({ minutes, ...done, asked, settled, unsettled, serverErrors: stage.errors }));
  expect(stage.errors, "no answer but 503 while a process goes").toEqual([]);
  expect(await count("journey_runs where status <> 'completed'"), "no wave is partial").toBe(0);
  expect(await count("journey_attempts where state <> 'succeeded'")).toBe(0);
  expect(await count("eval_runs where status <> 'completed' or result <> 'passed'")).toBe(0);
  expect(await count("conformance_runs where status <> 'completed'")).toBe(0);
  // A call is written down before it is sent: none can be missing. One whose process was killed between the two was never sent.
  expect(settled, "nothing is told twice").toBeLessThanOrEqual(asked);
  expect(settled + unsettled, "nothing is missing").toBeGreaterThanOrEqual(asked);
  expect(settled + unsettled - asked, "nothing is made up").toBeLessThanOrEqual(done.kills);
  expect(done.kills).toBeGreaterThan(0);
});

type Done = Record<
  "evalRuns" | "waves" | "sessions" | "messages" | "conformanceRuns" | "kills" | "stops",
  number
>;

interface Stage {
  bench: EvalBench;
  stub: EvalStub;
  /** Where the two services listen, also after they were started again. */
  urls: string[];
  env: Record<string, string>;
  bookshopId: string;
  /** Answers that nobody should get. */
  errors: string[];
  call(method: string, path: string, body?: object, key?: string): Promise<Answer>;
}

async function openStage(stack: AsyncDisposableStack): Promise<Stage> {
  const database = await testDatabase();
  stack.defer(() => database.close());
  const stub = stack.use(await startEvalStub());
  const home = mkdtempSync(join(tmpdir(), "fettle-soak-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    ...stub.env,
    FETTLE_SECRET_KEY: "k".repeat(40),
    FETTLE_LIMIT_KEY_BURST: "1000000",
    FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
    FETTLE_LIMIT_EVAL_MODEL_TURNS: "100000",
    FETTLE_LIMIT_JOURNEY_RUNS_PER_DAY: "100000",
    FETTLE_LIMIT_INSIGHTS_PER_DAY: "0",
  };
  const bench = await evalBench(stub.url, { env, database });
  stack.defer(() => bench.service.close());
  const bookshop = await startBookshop();
  stack.defer(() => bookshop.close());
  const { id: bookshopId } = await saveServer(bench.world, bench.service.app, bookshop.url);
  // Of the same stub: what visitors may spend is bounded, so its price has to be known.
  const admin = await signedInBrowser(bench.service, bench.world.people.owner.userId);
  await admin.call(`/app/organizations/${bench.world.organizationId}/model-providers/custom:priced`, {
    method: "PUT",
    body: {
      baseUrl: `${new URL(stub.url).origin}/v1`,
      apiKey: "none",
      models: [{ model: "stub", price: { inputPerMTok: 0.001, outputPerMTok: 0.001 } }],
    },
  });
  Object.assign(stub.tools[0] ?? {}, { annotations: { readOnlyHint: true } });
  const urls = (await Promise.all([freePort(), freePort()])).map((port) => `http://127.0.0.1:${port}`);
  const errors: string[] = [];
  const { key } = bench.world.people.member;
  return {
    bench,
    stub,
    urls,
    bookshopId,
    errors,
    env: { ...env, FETTLE_FROM: "source", FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
    call: (method, path, body, idempotencyKey) =>
      tirelessly(urls, errors, `/api/v1/projects/${bench.world.projectId}${path}`, {
        method,
        key,
        ...(body && { body }),
        ...(idempotencyKey && { headers: { "idempotency-key": idempotencyKey } }),
      }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** At the one service or the other, until one answers. */
async function tirelessly(
  urls: readonly string[],
  errors: string[],
  path: string,
  request: Request,
): Promise<Answer> {
  const until = Date.now() + settleMs;
  for (let at = 0; ; at += 1) {
    try {
      const answer = await callAt(urls[at % urls.length]!, path, request);
      const isBusy = answer.status === 503 || answer.status === 429;
      if (answer.status >= 500 && answer.status !== 503)
        errors.push(`${request.method ?? "GET"} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      if (!isBusy) return answer;
    } catch (error) {
      // Its process has just gone.
      if (Date.now() > until) throw error;
    }
    if (Date.now() > until) throw new Error(`nobody answered ${path}`);
    await delay(250);
  }
}

async function callAt(
  url: string,
  path: string,
  { method = "GET", key, headers, body }: Request,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

interface Slot {
  name: string;
  start(): Promise<TestProcess>;
  process: TestProcess;
}

async function startAll(stack: AsyncDisposableStack, { env, urls }: Stage): Promise<Slot[]> {
  const slot = async (name: string, args: string[], isUp: () => Promise<void>): Promise<Slot> => {
    const start = async () => {
      const started = startProcess(fettle, args, { env });
      stack.defer(() => started.kill());
      await Promise.race([isUp(), started.exited.then(() => Promise.reject(new Error(started.output())))]);
      return started;
    };
    return { name, start, process: await start() };
  };
  const answers = (url: string) => async () => {
    for (;;) {
      const isUp = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      await delay(200);
    }
  };
  const slots: Slot[] = [];
  for (const [at, url] of urls.entries())
    slots.push(await slot(`serve ${at}`, ["serve", "--port", new URL(url).port], answers(url)));
  for (const at of [0, 1]) slots.push(await slot(`work ${at}`, ["work"], async () => {}));
  return slots;
}

/** One is killed every twenty seconds, another is told to stop half way to the next; each is started again at once. */
async function killLoop(slots: readonly Slot[], done: Done, isOver: () => boolean): Promise<void> {
  const replacing = new Map<Slot, Promise<void>>();
  const replace = (slot: Slot, signal: "SIGKILL" | "SIGTERM") => {
    const replaced = (replacing.get(slot) ?? Promise.resolve()).then(async () => {
      await slot.process.kill(signal);
      slot.process = await slot.start();
    });
    // Told at the end.
    replaced.catch(() => undefined);
    replacing.set(slot, replaced);
  };
  for (let at = 0; !isOver(); at += 1) {
    await delay(betweenKillsMs / 2);
    replace(slots[at % slots.length]!, "SIGKILL");
    done.kills += 1;
    await delay(betweenKillsMs / 2);
    replace(slots[(at + 2) % slots.length]!, "SIGTERM");
    done.stops += 1;
  }
  await Promise.all(replacing.values());
}

async function until<Value>(read: () => Promise<Value | undefined>, what: string): Promise<Value> {
  for (const end = Date.now() + settleMs; Date.now() < end; await delay(500)) {
    const value = await read();
    if (value !== undefined) return value;
  }
  throw new Error(`${what} did not end`);
}

async function evalLoop({ bench, stub, call }: Stage, done: Done, isOver: () => boolean): Promise<void> {
  const cases = ["one", "two", "three"].map((id) => askCase(id, "How many copies of book 7?", "stock"));
  const suiteId = await bench.suite(cases, { model: stub.model });
  while (!isOver()) {
    const launched = await call("POST", "/eval-runs", { suiteId }, newId("request"));
    expect(launched.status, JSON.stringify(launched.body)).toBe(202);
    const { runId } = launched.body;
    const run = await until(async () => {
      const { body } = await call("GET", `/eval-runs/${runId}`);
      return ["pending", "running"].includes(body.status) ? undefined : body;
    }, `eval run ${runId}`);
    expect(run, JSON.stringify(run)).toMatchObject({ status: "completed", result: "passed" });
    done.evalRuns += 1;
  }
}

async function waveLoop({ bench, stub, call }: Stage, done: Done, isOver: () => boolean): Promise<void> {
  const journeys = journeysOf(bench);
  const environmentIds = [
    await journeys.environment({ modelId: stub.model }),
    await journeys.environment({ modelId: stub.model }),
    await journeys.environment(),
  ];
  const journeyId = await journeys.journey({ environmentIds, sessionsPerTarget: 4 });
  while (!isOver()) {
    const launched = await call("POST", `/journeys/${journeyId}/runs`, {}, newId("request"));
    expect(launched.status, JSON.stringify(launched.body)).toBe(202);
    const run = await until(async () => {
      const { body } = await call("GET", `/journey-runs/${launched.body.id}`);
      return body.status === "running" ? undefined : body;
    }, `journey run ${launched.body.id}`);
    expect(run.status, JSON.stringify(run.attempts)).toBe("completed");
    done.waves += 1;
    done.sessions += run.attempts.length;
  }
}

async function conformanceLoop(
  { bookshopId, call }: Stage,
  done: Done,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const body = { suites: ["protocol"], idempotencyKey: newId("request") };
    const started = await call("POST", `/servers/${bookshopId}/conformance-runs`, body);
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const run = await until(async () => {
      const { body: now } = await call("GET", `/conformance-runs/${started.body.runId}`);
      return ["queued", "running"].includes(now.status) ? undefined : now;
    }, `conformance run ${started.body.runId}`);
    expect(run, JSON.stringify(run)).toMatchObject({ status: "completed" });
    done.conformanceRuns += 1;
  }
}

/** Each message is answered in the end; one that was lost with its process is sent again, as the page does. */
async function visitorLoop(stage: Stage, done: Done, isOver: () => boolean): Promise<void> {
  const { bench, urls, errors } = stage;
  const { service, world } = bench;
  const environmentId = await visitedEnvironment(service, world, bench.server.id, pricedModel);
  const mode = { mode: "anyone_with_link", feedback: "thumbs" };
  const published = await bench.call("PUT", `/environments/${environmentId}/scenario`, mode, {
    person: "owner",
  });
  const anywhere: TestService = {
    ...service,
    call: (path, request = {}) => tirelessly(urls, errors, path, request),
  };
  while (!isOver()) {
    await service.app.pool.query("DELETE FROM rate_limits WHERE id LIKE 'visit-%'");
    const guest = visitor(anywhere, world);
    const sessionId = await guest.begin(published.body.link);
    for (const message of ["How many copies of book 7?", "And of book 7 again?"]) {
      let key = newId("request");
      await until(async () => {
        const answer = await guest
          .call(`/sessions/${sessionId}/messages`, "POST", { message, idempotencyKey: key })
          .catch(() => undefined);
        const said = typeof answer?.body === "string" ? answer.body : "";
        if (said.includes("event: done")) return true;
        if (said.includes("event: failed") || answer?.body?.details?.code === "TURN_LOST")
          key = newId("request");
        return undefined;
      }, `the answer to a visitor in ${sessionId}`);
      done.messages += 1;
    }
  }
}
