/** @module What holds for the life of a run, tried on every kind of run there is. */
import type { ReadinessReport } from "@fettle/checks";
import { idOf } from "@fettle/contract/core";
import { calibrate } from "@fettle/evals";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { takeBackLost } from "../../core/jobs/store.ts";
import { evalRunKind } from "../../evals/runs/kind.ts";
import { dayOf, readDay } from "../../models/budget.ts";
import { takeForLaunch } from "../../models/budget-store.ts";
import { buildImageJob } from "../../sandboxes/images/build-job.ts";
import { createImage } from "../../sandboxes/images/images.ts";
import { imageBuildKind } from "../../sandboxes/images/kind.ts";
import { conformanceRunKind } from "../../servers/conformance/kind.ts";
import { readinessRunKind } from "../../servers/readiness/kind.ts";
import { runKinds } from "../../start/run-kinds.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase } from "../../testing/eval-suite.ts";
import { goodBlueprint } from "../../testing/sandbox-images/inputs.ts";
import { journeysOf } from "../../testing/swarms/journey-bench.ts";
import { calibrationKind } from "../../visitors/journey-runs/calibrations/kind.ts";
import { journeyRunKind } from "../../visitors/journey-runs/kind.ts";
import { isOpen, type RunHead, type RunKind } from "./kind.ts";
import { cancelRun, endRun, launchRun, sourceOf, takeUpRun } from "./life.ts";
import { findRun, updateOpenRun } from "./store.ts";
import { endLostRuns } from "./watchdog.ts";

let stub: EvalStub;
let bench: EvalBench;
// Nobody works here: what is launched waits, until a test says what becomes of it.
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
});
// A minute takes fewer launches than are tried here.
beforeEach(() => bench.service.app.pool.query("delete from rate_limits"));
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

interface Tried {
  kind: RunKind;
  /** One that nobody has taken up yet. */
  launch(): Promise<string>;
  /** As its job ends it when all went well. */
  finish(tx: Transaction, id: string): Promise<RunHead | undefined>;
  /** Where a person cancels it, and what a second cancel answers. */
  cancels?: { path: string; again: number };
}

/** Its parts do not matter to the life of a run. */
const readinessReport = { overallStatus: "incomplete", lanes: [], stages: [] } as unknown as ReadinessReport;
const onServer = async (path: string) =>
  (await bench.call("POST", `/servers/${bench.server.id}/${path}`, {})).body.runId as string;

const tried: Tried[] = [
  {
    kind: evalRunKind,
    launch: async () => {
      const suiteId = await bench.suite([askCase("stock", "How many copies of book 7?", "stock")]);
      return (await bench.call("POST", "/eval-runs", { suiteId })).body.runId;
    },
    finish: (tx, id) => endRun(bench.service.app, tx, evalRunKind, { id }, { end: "completed" }),
    cancels: { path: "eval-runs", again: 200 },
  },
  {
    kind: conformanceRunKind,
    launch: () => onServer("conformance-runs"),
    finish: (tx, id) => endRun(bench.service.app, tx, conformanceRunKind, { id }, { end: "completed" }),
    cancels: { path: "conformance-runs", again: 409 },
  },
  {
    kind: readinessRunKind,
    launch: () => onServer("readiness-runs/claude"),
    finish: (tx, id) => {
      const observations = { status: "not-requested", reason: "not_requested" } as const;
      const ending = { end: "completed", report: readinessReport, observations } as const;
      return endRun(bench.service.app, tx, readinessRunKind, { id }, ending);
    },
    cancels: { path: "readiness-runs", again: 409 },
  },
  {
    kind: journeyRunKind,
    launch: async () => {
      const { environment, journey } = journeysOf(bench);
      const journeyId = await journey({ environmentIds: [await environment()] });
      const { id } = (await bench.call("POST", `/journeys/${journeyId}/runs`, {})).body;
      // Its job could end it at any time.
      await bench.service.app.pool.query(
        "update journey_attempts set state = 'succeeded' where run_id = $1",
        [id],
      );
      return id;
    },
    finish: (tx, id) => endRun(bench.service.app, tx, journeyRunKind, { id }, { end: "settled" }),
    cancels: { path: "journey-runs", again: 200 },
  },
  {
    kind: calibrationKind,
    launch: async () => {
      const environmentId = await journeysOf(bench).environment();
      return (await bench.call("POST", "/calibrations", { environmentId })).body.id;
    },
    finish: (tx, id) =>
      endRun(bench.service.app, tx, calibrationKind, { id }, { end: "completed", report: calibrate([]) }),
    cancels: { path: "calibrations", again: 200 },
  },
  {
    kind: imageBuildKind,
    launch: async () => {
      const { app } = bench.service;
      const { projectId, people } = bench.world;
      const named = { name: newId("sandboxImage"), blueprint: goodBlueprint };
      const owner = { projectId, userId: people.owner.userId };
      const { id: image } = await createImage(app, app.db, owner, named);
      const id = newId("sandboxImageBuild");
      const recipe = { base: "debian:13", initialize: [] };
      const imageId = idOf<"sandboxImage">().parse(image);
      const values = { id, projectId, imageId, contentHash: id, recipe, createdAt: new Date() };
      const launch = { values, job: buildImageJob, input: { buildId: id } };
      await app.db.transaction((tx) => launchRun(app, tx, imageBuildKind, launch));
      return id;
    },
    finish: (tx, id) => {
      const ending = { end: "completed", providerBuildId: "built", log: "" } as const;
      return endRun(bench.service.app, tx, imageBuildKind, { id }, ending);
    },
  },
];

it("every kind of run is tried", () => {
  const names = (kinds: readonly { kind: RunKind }[]) => kinds.map(({ kind }) => kind.name).toSorted();
  expect(names(tried)).toEqual(names(runKinds));
});

describe.each(tried.map((one) => [one.kind.name, one] as const))("a run of the kind %s", (_, of) => {
  const { kind, launch, finish, cancels } = of;
  const inTransaction = <Value>(work: (tx: Transaction) => Promise<Value>) =>
    bench.service.app.db.transaction(work);
  const read = async (id: string) => (await findRun(bench.service.app.db, kind, id))!;
  const isOver = async (id: string) => !isOpen(kind, await read(id));
  const jobOf = async (id: string) => bench.service.app.jobs.get((await read(id)).jobId!);
  const endAs = (end: "canceled" | "lost") => (tx: Transaction, id: string) =>
    endRun(bench.service.app, tx, kind, { id }, { end });

  /** What follows from ends: emails, history, mining. */
  function watchEnds() {
    if (!kind.ended) return undefined;
    const spy = vi.spyOn(kind as Required<RunKind>, "ended");
    onTestFinished(() => spy.mockRestore());
    return spy;
  }
  const heldUsd = async () => (await readDay(bench.service.app, bench.world.organizationId)).heldUsd;
  async function setAside(source: { kind: string; id: string }, usd: number): Promise<void> {
    const { day } = dayOf(bench.service.app.now());
    const purse = { organizationId: bench.world.organizationId, day, source };
    expect(await inTransaction((tx) => takeForLaunch(tx, purse, usd, 1_000))).toBe(true);
  }

  it("waits for its job, which was made with it", async () => {
    const id = await launch();
    expect((await read(id)).status).toBe(kind.open.waiting);
    expect(await jobOf(id)).toMatchObject({ state: "waiting", singletonKey: id });
  });

  it("is ended by one of twenty who end it at once, tells that once, and gives back once what was set aside", async () => {
    const id = await launch();
    const spends = kind.spendsAs !== undefined;
    if (spends) await setAside({ kind: "chat", id: "goes on" }, 3);
    const before = await heldUsd();
    if (spends) await setAside(sourceOf(kind, { id }), 5);
    const told = watchEnds();
    const ways = [finish, endAs("canceled"), endAs("lost")];
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_each, at) => inTransaction((tx) => ways[at % ways.length]!(tx, id))),
    );
    const [ended, ...others] = ends.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(await read(id)).toEqual(ended);
    expect(await isOver(id)).toBe(true);
    if (told) expect(told).toHaveBeenCalledTimes(1);
    expect(await heldUsd()).toBe(before);
  });

  it("that is canceled while its job ends it has one of the two ends", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await launch();
      const run = await read(id);
      const told = watchEnds();
      const [canceled, finished] = await Promise.all([
        cancelRun(bench.service.app, kind, run).then(
          ({ isNew }) => isNew,
          () => false,
        ),
        inTransaction((tx) => finish(tx, id)),
      ]);
      expect([canceled, finished !== undefined].toSorted()).toEqual([false, true]);
      expect(await isOver(id)).toBe(true);
      if (told) expect(told).toHaveBeenCalledTimes(1);
      told?.mockRestore();
    }
  });

  it("never moves again once it has ended, and its job is stopped", async () => {
    const { app } = bench.service;
    const id = await launch();
    await cancelRun(app, kind, await read(id));
    const ended = await read(id);
    expect(await jobOf(id)).toMatchObject({ state: "cancelled" });
    expect(await updateOpenRun(app.db, kind, id, { status: kind.open.running })).toBeUndefined();
    expect(await takeUpRun({ app, requireLease: async () => {} }, kind, id)).toBeUndefined();
    for (const end of [finish, endAs("canceled"), endAs("lost")])
      expect(await inTransaction((tx) => end(tx, id))).toBeUndefined();
    expect(await read(id)).toEqual(ended);
    // What became of its parts may still be counted.
    await endLostRuns(app, kind);
    expect((await read(id)).status).toBe(ended.status);
  });

  it.runIf(cancels)("that has been canceled answers another cancel as its kind does", async () => {
    const { path, again } = cancels!;
    const id = await launch();
    const cancel = async () => (await bench.call("POST", `/${path}/${id}/cancel`)).status;
    expect([await cancel(), await cancel()]).toEqual([200, again]);
    const finished = await launch();
    await inTransaction((tx) => finish(tx, finished));
    expect((await bench.call("POST", `/${path}/${finished}/cancel`)).status).toBe(409);
  });

  it("whose worker was killed is taken up again, or ended when its job is given up", async () => {
    const { app } = bench.service;
    const id = await launch();
    expect(await takeUpRun({ app, requireLease: async () => {} }, kind, id)).toMatchObject({
      status: kind.open.running,
    });
    const { jobId } = await read(id);
    const die = async () => {
      await app.pool.query(
        "update jobs set state = 'running', claim = claim + 1, worker = 'killed', lease_until = now() - interval '1 minute' where id = $1",
        [jobId],
      );
      await takeBackLost(app.db, { leaseMs: 0, longestDelayMs: 0 });
      await endLostRuns(app, kind);
    };
    await die();
    expect((await app.jobs.get(jobId!))?.state).toBe("waiting");
    expect(await isOver(id), "another worker goes on with it").toBe(false);
    const told = watchEnds();
    await app.pool.query("update jobs set failures = attempts - 1 where id = $1", [jobId]);
    await die();
    expect((await app.jobs.get(jobId!))?.state).toBe("parked");
    expect(await isOver(id)).toBe(true);
    await endLostRuns(app, kind);
    if (told) expect(told).toHaveBeenCalledTimes(1);
  });
});
