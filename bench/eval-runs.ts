/** @module Eval runs of the service, everything persisted, beside a loop written by hand that keeps nothing; what ten thousand repetitions leave in memory; and how long their pages take. */
import { setTimeout as delay } from "node:timers/promises";
import { must } from "../packages/contract/src/formats/index.ts";
import { openServers } from "../packages/evals/src/index.ts";
import { parseTarget } from "../packages/mcp/src/index.ts";
import { compareRun } from "../packages/service/src/evals/runs/compare.ts";
import { listIterations } from "../packages/service/src/evals/runs/reads.ts";
import { findRun, type RunRow } from "../packages/service/src/evals/runs/store.ts";
import type { RunningApp } from "../packages/service/src/start/create-app.ts";
import { askCase, launchRun, saveServer, saveSuite } from "../packages/service/src/testing/eval-suite.ts";
import { makeWorld, type World } from "../packages/service/src/testing/world.ts";
import { type Bench, inRounds, type Row } from "./bench.ts";
import { handWritten, many } from "./evals.ts";
import { heapMiB } from "./memory.ts";
import { withInstantModels } from "./opening.ts";

const rounds = 7;
const repetitions = 10;
/** As many as a run plays at a time. */
const atOnce = 4;

export const evalRunsBench: Bench = {
  name: "eval-runs",
  run: () => withInstantModels(["zero", "again"], measure),
};

const stubModels = ["custom:zero:stub", "custom:again:stub"];

async function measure(app: RunningApp, origin: string): Promise<Row[]> {
  const world = await makeWorld(app.db);
  const play = await player(app, world, `${origin}/mcp`);
  const servers = await openServers([{ name: "zero", target: parseTarget({ url: `${origin}/mcp` }) }]);
  const byHand = handWritten(
    must(servers.links[0], "the server that was opened"),
    `${origin}/v1/chat/completions`,
  );
  await play(20);
  await play(200, ["fettle/rules-1"]);
  await many(byHand, atOnce, 200);
  const rates: Record<"stub" | "rules" | "hand", number[]> = { stub: [], rules: [], hand: [] };
  // In turns, so that what else the machine does falls on all.
  for (let round = 0; round < rounds; round++) {
    rates.stub.push((await play(100)).perSecond);
    rates.rules.push((await play(500, ["fettle/rules-1"])).perSecond);
    const started = performance.now();
    await many(byHand, atOnce, 1_000);
    rates.hand.push(1_000 / ((performance.now() - started) / 1_000));
  }
  await servers.close();
  await play(10);
  const early = heapMiB();
  const large = await play(500, stubModels);
  const late = heapMiB();
  return [
    inRounds({
      what: "iterations through the service, everything kept, a model that answers at once",
      rounds: rates.stub,
      unit: "/s",
    }),
    inRounds({ what: "the same with the built-in rules", rounds: rates.rules, unit: "/s" }),
    inRounds({ what: "turns by a loop written by hand, nothing kept", rounds: rates.hand, unit: "/s" }),
    inRounds({
      what: "share of the loop by hand",
      rounds: rates.stub.map((rate, round) => rate / must(rates.hand[round], "the loop's round")),
      unit: "",
      goal: { atLeast: 0.9 },
    }),
    { what: "a run of 10,000: iterations", value: large.perSecond, unit: "/s" },
    { what: "memory held after a run of 100", value: early, unit: "MiB" },
    { what: "memory held after a run of 10,000", value: late, unit: "MiB", goal: { atMost: early + 20 } },
    ...(await pages(app, large.run, await copyOf(app, large.run))),
  ];
}

/** Plays a suite of so many cases, ten times each with each model. */
async function player(app: RunningApp, world: World, url: string) {
  const server = await saveServer(world, app, url);
  return async (cases: number, models = ["custom:zero:stub"]) => {
    const wanted = Array.from({ length: cases }, (_, index) =>
      askCase(`case-${index}`, "How many copies of book 7 are there?", "stock", {
        iterations: repetitions,
        models: models.map((model) => ({ model })),
      }),
    );
    const suite = { serverIds: [server.id], model: must(models[0], "a model"), cases: wanted };
    const suiteId = await saveSuite(world, app, suite);
    const { runId } = await launchRun(world, app, suiteId);
    for (;;) {
      const run = must(await findRun(app.db, world.projectId, runId), "the run that was launched");
      if (run.completedAt && run.startedAt) {
        const total = run.planned;
        if (run.summary?.passed !== total) throw new Error(`${run.summary?.passed} of ${total} passed.`);
        return { run, perSecond: total / ((run.completedAt.getTime() - run.startedAt.getTime()) / 1_000) };
      }
      // Seldom: whoever looks takes from what is measured.
      await delay(200);
    }
  };
}

/** Another run just like it, without the time it takes to play one. */
async function copyOf(app: RunningApp, { id, projectId, runNumber }: RunRow): Promise<RunRow> {
  const copyId = `${id}-2` as RunRow["id"];
  const copies: [table: string, key: string, over: string][] = [
    ["eval_runs", "id", `jsonb_build_object('id', '${copyId}', 'run_number', ${runNumber + 1})`],
    ["eval_run_snapshots", "run_id", `jsonb_build_object('run_id', '${copyId}')`],
    ["eval_iterations", "run_id", `jsonb_build_object('id', kept.id || '-2', 'run_id', '${copyId}')`],
  ];
  for (const [table, key, over] of copies) {
    await app.pool.query(
      `insert into ${table} select (jsonb_populate_record(kept, ${over})).* from ${table} as kept where ${key} = $1`,
      [id],
    );
  }
  await app.pool.query("analyze eval_iterations");
  return must(await findRun(app.db, projectId, copyId), "the copy");
}

async function pages(app: RunningApp, one: RunRow, other: RunRow): Promise<Row[]> {
  const goal = { atMost: 200 };
  const timed = async (work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const started = performance.now();
      await work();
      times.push(performance.now() - started);
    }
    return must(times.sort((a, b) => a - b)[18], "the nineteenth of twenty");
  };
  const failures = { order: "failures", limit: 200 } as const;
  return [
    {
      what: "p95 of a page of its iterations",
      value: await timed(() => listIterations(app, one, failures)),
      unit: "ms",
      goal,
    },
    {
      what: "p95 of a comparison of two such runs",
      value: await timed(() => compareRun(app, other, { baseRunId: one.id })),
      unit: "ms",
      goal,
    },
  ];
}
