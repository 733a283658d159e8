/** @module What is counted of a run once, and read from then on. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { journeyRuns } from "../../core/tables/journey-runs.ts";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { type JourneyBench, journeyBench } from "../../testing/swarms/journey-bench.ts";
import { journeyRunKind } from "./kind.ts";
import { findRun } from "./store.ts";

let bench: JourneyBench;
beforeAll(async () => {
  bench = await journeyBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const rubric = [
  { id: "calm", predicate: { type: "noToolErrors" } },
  {
    id: "priced",
    label: "Asks for the price",
    predicate: { type: "toolCalledAtLeastOnce", toolName: "price" },
  },
];
const launch = async (over: object = {}) => {
  const environmentIds = [await bench.environment({ modelId: bench.stub.model })];
  const judge = { model: null, threshold: 0.5 };
  const journeyId = await bench.journey({ environmentIds, rubric, judge, ...over });
  const { body } = await bench.call("POST", `/journeys/${journeyId}/runs`);
  return { journeyId, runId: body.id };
};
const tallyOf = async (runId: string) =>
  (await findRun(bench.service.app.db, bench.world.projectId, runId as never))?.tally;
const told = async (journeyId: string) => ({
  overview: (await bench.call("GET", "/journeys-overview")).body,
  runs: (await bench.call("GET", `/journeys/${journeyId}/runs`)).body,
});
const forget = (runId: string) =>
  bench.service.app.db
    .update(journeyRuns)
    .set({ tally: null })
    .where(eq(journeyRuns.id, runId as never));

it("a run that has settled is read from what was counted then, which is what counting anew comes to", async () => {
  const { journeyId, runId } = await launch();
  await bench.settled(runId);
  expect(await tallyOf(runId)).toMatchObject({
    states: { succeeded: 2, failed: 0 },
    gradings: { graded: 2, pending: 0, broken: 0 },
    missed: [{ criterionId: "priced", label: "Asks for the price", failCount: 2, brokenCount: 0 }],
  });
  const kept = await told(journeyId);
  expect(kept.overview.runs[0]).toMatchObject({ runId, findings: [{ criterionId: "priced", runStreak: 1 }] });
  await forget(runId);
  expect(await told(journeyId)).toEqual(kept);
  await endLostRuns(bench.service.app, journeyRunKind);
  expect(await tallyOf(runId), "the watchdog counts what nobody has").not.toBeNull();
  expect(await told(journeyId)).toEqual(kept);
});

it("a run that was cancelled while a visitor was there is counted only once the visitor has gone", async () => {
  const held = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<void>();
  bench.stub.onCall = () => {
    asked.resolve();
    return held.promise;
  };
  const { runId } = await launch();
  await asked.promise;
  expect((await bench.call("POST", `/journey-runs/${runId}/cancel`)).body).toMatchObject({ finalized: 1 });
  expect(await tallyOf(runId)).toBeNull();
  held.resolve(undefined);
  bench.stub.onCall = () => undefined;
  await vi.waitFor(
    async () => {
      await endLostRuns(bench.service.app, journeyRunKind);
      expect(await tallyOf(runId)).toMatchObject({ states: { pending: 0, running: 0, failed: 2 } });
    },
    { timeout: 60_000, interval: 200 },
  );
});
