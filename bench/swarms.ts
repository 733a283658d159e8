/** @module A thousand sessions of synthetic visitors, everything kept, beside the bare agent loop with the same visitor; what they leave in memory; and how long their pages take with ten runs and with a thousand. */
import { setTimeout as delay } from "node:timers/promises";
import { idOf } from "../packages/contract/src/core/index.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import {
  createAgent,
  createModelSource,
  openServers,
  playSession,
  readModelConfiguration,
} from "../packages/evals/src/index.ts";
import { parseTarget } from "../packages/mcp/src/index.ts";
import { createEnvironment } from "../packages/service/src/environments/saved/environments.ts";
import { listFindings } from "../packages/service/src/insights/registry.ts";
import { createClient } from "../packages/service/src/servers/clients/clients.ts";
import type { RunningApp } from "../packages/service/src/start/create-app.ts";
import { saveServer } from "../packages/service/src/testing/eval-suite.ts";
import { makeWorld, type World } from "../packages/service/src/testing/world.ts";
import { launchRun } from "../packages/service/src/visitors/journey-runs/launch.ts";
import { readMatrix } from "../packages/service/src/visitors/journey-runs/matrix.ts";
import { modelPersona } from "../packages/service/src/visitors/journey-runs/model-persona.ts";
import { readOverview } from "../packages/service/src/visitors/journey-runs/overview.ts";
import { listRuns } from "../packages/service/src/visitors/journey-runs/reads.ts";
import { findRun, type RunRow } from "../packages/service/src/visitors/journey-runs/store.ts";
import { createJourney } from "../packages/service/src/visitors/swarms/journeys.ts";
import { createPersona } from "../packages/service/src/visitors/swarms/personas.ts";
import {
  type JourneyRow,
  journeyShelf,
  type SwarmRow,
  swarmShelf,
} from "../packages/service/src/visitors/swarms/shared-sql.ts";
import { createSwarm } from "../packages/service/src/visitors/swarms/swarms.ts";
import type { Bench, Row } from "./bench.ts";
import { many } from "./evals.ts";
import { heapMiB } from "./memory.ts";
import { at, timed, withInstantModels } from "./opening.ts";

const model = "custom:zero:stub";
const goal = "Find how many copies of book 7 there are";
const persona = { id: "per_bench", name: "Ann", role: "Buyer", notes: "" };
const [places, sessionsPerTarget, maxTurns] = [5, 20, 3];
/** Of one launch. */
const sessions = places * sessionsPerTarget;

export const swarmsBench: Bench = {
  name: "swarms",
  run: () => withInstantModels(["zero"], measure),
};

async function measure(app: RunningApp, origin: string): Promise<Row[]> {
  const world = await makeWorld(app.db);
  const { journey, swarm } = await makeJourney(app, world, `${origin}/mcp`);
  const bare = await bareSessions(origin);
  // Warm, both.
  await play(app, world, journey, 1);
  await bare.play(sessions);
  const early = heapMiB();
  const ours: number[] = [];
  const theirs: number[] = [];
  let last: RunRow | undefined;
  // In turns, so that what else the machine does falls on both.
  for (let round = 0; round < 5; round++) {
    const played = await play(app, world, journey, 2);
    ours.push(played.perSecond);
    last = played.run;
    theirs.push(await bare.play(2 * sessions));
  }
  const late = heapMiB();
  await bare.close();
  const [own, loop] = [median(ours), median(theirs)];
  return [
    {
      what: "sessions through the service, everything kept and graded",
      value: own,
      unit: "/s",
      spread: range(ours),
    },
    {
      what: "the same visitors by the bare agent loop, nothing kept",
      value: loop,
      unit: "/s",
      spread: range(theirs),
    },
    { what: "share of the bare loop", value: own / loop, unit: "", goal: { atLeast: 0.25 } },
    { what: "memory held after 100 sessions", value: early, unit: "MiB" },
    { what: "memory held after 1,100 sessions", value: late, unit: "MiB", goal: { atMost: early + 20 } },
    ...(await pages(app, must(last, "a last run"), journey, swarm)),
  ];
}

async function makeJourney(app: RunningApp, world: World, url: string) {
  const { projectId, people } = world;
  const { userId } = people.owner;
  const server = await saveServer(world, app, url);
  const environmentIds: string[] = [];
  for (let nth = 0; nth < places; nth += 1) {
    const config = { modelId: model, serverIds: [server.id] };
    const { id: hostId } = await createClient(app, app.db, projectId, userId, {
      name: `Client ${nth}`,
      config,
    });
    const wanted = { name: `Place ${nth}`, hostId };
    environmentIds.push((await createEnvironment(app, app.db, projectId, userId, wanted)).id);
  }
  return app.db.transaction(async (tx) => {
    const by = { projectId, userId };
    const swarm = await createSwarm(app, tx, by, { name: "Bench", sessionsPerTarget, maxTurns });
    const { id: personaId } = await createPersona(app, tx, by, { name: persona.name, role: persona.role });
    const { id } = await createJourney(app, tx, by, {
      goal,
      personaId: idOf<"persona">().parse(personaId),
      swarmId: idOf<"swarm">().parse(swarm.id),
      environmentIds: environmentIds.map((one) => idOf<"environment">().parse(one)),
      sessionsPerTarget,
      maxTurns,
      // The second is never met, so that there is something to find.
      rubric: [
        { id: "calm", predicate: { type: "noToolErrors" } },
        { id: "priced", predicate: { type: "toolCalledAtLeastOnce", toolName: "price" } },
      ],
      judge: { model: null, threshold: 0.5 },
    });
    return {
      journey: must(
        await journeyShelf.find(tx, projectId, idOf<"journey">().parse(id)),
        "the journey that was made",
      ),
      swarm: must(
        await swarmShelf.find(tx, projectId, idOf<"swarm">().parse(swarm.id)),
        "the swarm that was made",
      ),
    };
  });
}

/** Launches so many runs of a hundred sessions at once. */
async function play(app: RunningApp, world: World, journey: JourneyRow, launches: number) {
  const { organizationId, people } = world;
  const launcher = { app, organizationId, userId: people.owner.userId };
  const waveId = `wave ${performance.now()}`;
  const ids: RunRow["id"][] = [];
  for (let nth = 0; nth < launches; nth += 1)
    ids.push(idOf<"journeyRun">().parse((await launchRun(launcher, journey, { waveId }, undefined)).id));
  const began = performance.now();
  for (;;) {
    const runs = await Promise.all(ids.map((id) => findRun(app.db, world.projectId, id)));
    if (runs.every((run) => run?.status === "completed")) {
      const seconds = (performance.now() - began) / 1_000;
      return { run: must(runs[0], "a first run"), perSecond: (launches * sessions) / seconds };
    }
    if (runs.some((run) => run?.status !== "running" && run?.status !== "completed"))
      throw new Error(`A run ended as ${runs.map((run) => run?.status).join(", ")}.`);
    // Seldom: whoever looks takes from what is measured.
    await delay(100);
  }
}

/** Agent and visitor alone: the same calls, on the same model and server. */
async function bareSessions(origin: string) {
  const section = {
    providers: { custom: { zero: { baseUrl: `${origin}/v1`, apiKey: "none" } } },
    limits: { concurrentCalls: 64 },
  };
  const source = createModelSource(readModelConfiguration(section, {}));
  const servers = await openServers([{ name: "zero", target: parseTarget({ url: `${origin}/mcp` }) }]);
  const opened = source.open(model);
  const { signal } = new AbortController();
  const one = async () => {
    const agent = createAgent({ model: opened, servers: servers.links });
    const speaks = modelPersona(opened, { persona, goal, maxTurns });
    const { end } = await playSession({ agent, persona: speaks, maxTurns, signal });
    if (end !== "persona") throw new Error(`The visitor's session ended: ${end}.`);
  };
  return {
    play: async (count: number) => {
      const started = performance.now();
      // As many as two runs play at a time.
      await many(one, 6, count);
      return count / ((performance.now() - started) / 1_000);
    },
    close: async () => {
      await servers.close();
      source.close();
    },
  };
}

async function pages(app: RunningApp, run: RunRow, journey: JourneyRow, swarm: SwarmRow): Promise<Row[]> {
  const { projectId } = run;
  const reads: [string, () => Promise<unknown>][] = [
    ["the overview", () => readOverview(app, projectId)],
    [
      "findings",
      () => listFindings(app, { projectId, familyId: projectId, dismissed: undefined }, { limit: 50 }),
    ],
    ["a page of runs", () => listRuns(app, journey, { limit: 50 })],
    ["the matrix of a swarm", () => readMatrix(app, swarm)],
  ];
  const rows: Row[] = [];
  const measureAll = async (runs: string, goal?: Row["goal"]) => {
    for (const [what, read] of reads)
      rows.push({
        what: `p95 of ${what} with ${runs} runs`,
        value: await p95(read),
        unit: "ms",
        ...(goal && { goal }),
      });
  };
  await measureAll("11");
  // As many as are looked at, and then all.
  await copyRun(app, run, { from: 1, to: 39 });
  await measureAll("50");
  await copyRun(app, run, { from: 40, to: 990 });
  await measureAll("1,001", { atMost: 200 });
  return rows;
}

async function p95(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 20; round++) times.push(await timed(work));
  return at(times, 0.95);
}

/** More runs just like it, without the time it takes to play them. */
async function copyRun(
  app: RunningApp,
  { id }: RunRow,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const copies: [table: string, key: string, over: string][] = [
    ["journey_runs", "id", "'id', kept.id || '-' || nth, 'wave_id', kept.wave_id || nth"],
    ["journey_run_snapshots", "run_id", "'run_id', kept.run_id || '-' || nth"],
    ["journey_attempts", "run_id", "'id', kept.id || '-' || nth, 'run_id', kept.run_id || '-' || nth"],
  ];
  // One run after the other, as they are launched; so many at a time as the database copies within what it may take for a statement.
  const step = 30;
  for (const [table, key, over] of copies) {
    for (let first = from; first <= to; first += step) {
      const last = Math.min(to, first + step - 1);
      await app.pool.query(
        `insert into ${table} select (jsonb_populate_record(kept, jsonb_build_object(${over}))).*
         from ${table} as kept, generate_series(${first}, ${last}) as nth where ${key} = $1
         order by nth`,
        [id],
      );
    }
    await app.pool.query(`analyze ${table}`);
  }
}

const median = (values: number[]) => at(values, 0.5);
const range = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
