import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endLostRuns } from "../../../runs/life/watchdog.ts";
import { type EvalBench, evalBench } from "../../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../../testing/eval-stub.ts";
import { askCase } from "../../../testing/eval-suite.ts";
import { usualSettings } from "../../suites/suite-view.ts";
import { evalRunKind } from "../kind.ts";

let bench: EvalBench;
let stub: EvalStub;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

const asks = (over: object = {}) => askCase("asks", "How many copies of book 7?", "stock", over);
const judge = { ...usualSettings.judge, enabled: true };

async function finished(cases = [asks({ expectedOutput: "Four copies" })], over: Partial<typeof judge> = {}) {
  const settings = { ...usualSettings, judge: { ...judge, ...over } };
  const suiteId = await bench.suite(cases, { model: stub.model, settings });
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId })).body;
  await bench.ended(runId);
  return runId as string;
}
const ask = (runId: string, body: object = {}) => bench.call("POST", `/eval-runs/${runId}/judge`, body);
const judged = (runId: string) =>
  vi.waitFor(async () => {
    const { body } = await bench.call("GET", `/eval-runs/${runId}`);
    expect(body.judges.goalCompletion?.status).toMatch(/completed|failed/);
    return body;
  }, 60_000);
/** What the model says when it is asked for a grade, and not for a call. */
const says = (...answers: string[]) => {
  let asked = 0;
  stub.onModel = (_, body) => (body.includes('"tools"') ? undefined : (answers[asked++] ?? answers.at(-1)));
  return () => asked;
};
const graded = (score: number) =>
  JSON.stringify({
    score,
    reason: "Because.",
    rubricHits: ["missing: the price"],
    unsupportedClaims: ["Four"],
  });

describe("a judge that is a model", () => {
  it("grades the goal and the backing of each case, beside the result and never in its place", async () => {
    const runId = await finished();
    expect((await bench.call("GET", `/eval-runs/${runId}`)).body.judges).toMatchObject({
      goalCompletion: { status: null, cases: [] },
      groundedness: { status: null, cases: [] },
    });
    says(graded(0.4));
    expect(await ask(runId, { model: stub.model })).toMatchObject({
      status: 202,
      body: { runId, status: "pending" },
    });
    const run = await judged(runId);
    expect(run.result).toBe("passed");
    expect(run.judges).toMatchObject({
      goalCompletion: {
        status: "completed",
        errorCode: null,
        modelUsed: stub.model,
        threshold: 0.7,
        cases: [{ caseKey: "asks", score: 0.4, passed: false, rubricHits: ["missing: the price"] }],
      },
      groundedness: { status: "completed", cases: [{ score: 0.4, unsupportedClaims: ["Four"] }] },
    });
    expect(await ask(runId)).toMatchObject({
      status: 409,
      body: { details: { code: "JUDGE_ALREADY_GRADED" } },
    });
    says(graded(0.9));
    await ask(runId, { force: true, model: stub.model, threshold: 0.5 });
    const again = await judged(runId);
    expect(again.judges.goalCompletion).toMatchObject({
      threshold: 0.5,
      cases: [{ score: 0.9, passed: true }],
    });
    await ask(runId, { force: true });
    const without = await judged(runId);
    expect(without.judges.goalCompletion, "an earlier override is gone").toMatchObject({
      threshold: 0.7,
      modelUsed: "fettle/rules-1",
      deterministic: true,
    });
  });

  it("shows the model what was recorded as data, and cannot know all where nothing was expected", async () => {
    const runId = await finished([asks()]);
    const seen: string[] = [];
    stub.onModel = (_, body) => {
      if (body.includes('"tools"')) return undefined;
      seen.push(body);
      return graded(1);
    };
    await ask(runId, { model: stub.model });
    const { judges } = await judged(runId);
    expect(judges.goalCompletion.cases).toMatchObject([
      { score: 0.85, reason: "Nothing was said to be expected. Because." },
    ]);
    const [system, user] = JSON.parse(seen[0]!).messages;
    expect(system).toMatchObject({ role: "system", content: expect.stringContaining("is data") });
    expect(JSON.stringify(user)).toMatch(/(=== recording [0-9a-f-]{36} ===).*4 copies.*\1/);
  });

  it("asks once more for a grade of the right shape, and then says that there is none", async () => {
    const first = await finished();
    says("I would say it went well.", graded(0.8));
    await ask(first, { model: stub.model });
    expect((await judged(first)).judges.goalCompletion).toMatchObject({
      status: "completed",
      cases: [{ score: 0.8 }],
    });
    const runId = await finished();
    const asked = says('{"score": 7}');
    await ask(runId, { model: stub.model });
    const run = await judged(runId);
    expect(run.judges.goalCompletion).toMatchObject({
      status: "failed",
      errorCode: "judge_output_invalid",
      cases: [],
    });
    expect(run.result).toBe("passed");
    expect(asked()).toBe(2);
    says(graded(0.8));
    expect((await ask(runId, { model: stub.model })).status, "what failed may be asked for again").toBe(202);
    expect((await judged(runId)).judges.goalCompletion.status).toBe("completed");
  });

  it("that cannot be had is refused before anything pends", async () => {
    const runId = await finished();
    expect(await ask(runId, { model: "openai/none" })).toMatchObject({
      status: 400,
      body: { details: { code: "MODEL_UNAVAILABLE" } },
    });
    expect((await bench.call("GET", `/eval-runs/${runId}`)).body.judges).toMatchObject({
      goalCompletion: { status: null, cases: [] },
      groundedness: { status: null, cases: [] },
    });
  });
});

describe("without a model", () => {
  it("the rules grade what is expected, leave the rest, and say that no model judged", async () => {
    const other = askCase("other", "How many copies of book 7?", "stock");
    const runId = await finished([
      asks({ expectedOutput: "Four copies" }),
      asks({ id: "x", expectedOutput: "No books 99" }),
      other,
    ]);
    await ask(runId);
    const { judges } = await judged(runId);
    expect(judges.groundedness.status).toBeNull();
    expect(judges.goalCompletion).toMatchObject({
      status: "completed",
      modelUsed: "fettle/rules-1",
      deterministic: true,
      summary: expect.stringContaining("no model judged"),
      cases: [
        { caseKey: "asks", score: 1, passed: true },
        { caseKey: "x", passed: false, rubricHits: expect.arrayContaining(["missing: 99"]) },
      ],
    });
  });

  it("a suite that grades by itself has its runs graded when they end", async () => {
    const runId = await finished(undefined, { autoRun: true });
    expect((await judged(runId)).judges.goalCompletion.status).toBe("completed");
  });
});

it("is refused for a run that goes on, and for one that was recorded with the judge off unless it is turned on", async () => {
  const off = await finished(undefined, { enabled: false });
  expect(await ask(off)).toMatchObject({ status: 409, body: { details: { code: "JUDGE_NOT_ENABLED" } } });
  expect((await ask(off, { enable: true })).status).toBe(202);
  const held = Promise.withResolvers<undefined>();
  stub.onCall = () => held.promise;
  const settings = { ...usualSettings, judge };
  const suiteId = await bench.suite([asks()], { model: stub.model, settings });
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId })).body;
  expect(await ask(runId)).toMatchObject({ status: 409, body: { details: { code: "RUN_IN_PROGRESS" } } });
  held.resolve(undefined);
  stub.onCall = () => undefined;
  await bench.ended(runId);
});

it("whose job is gone does not pend for ever", async () => {
  const runId = await finished();
  const pending = {
    status: "pending",
    errorCode: null,
    summary: null,
    generatedAt: null,
    modelUsed: "x",
    threshold: 0.7,
    cases: [],
  };
  await bench.service.app.pool.query(
    "update eval_runs set judges = $1, judge_job_id = 'job_gone' where id = $2",
    [JSON.stringify({ goalCompletion: pending }), runId],
  );
  await endLostRuns(bench.service.app, evalRunKind);
  expect((await judged(runId)).judges.goalCompletion).toMatchObject({
    status: "failed",
    errorCode: "judge_deadline_exceeded",
  });
});

describe("judging again", () => {
  const regrade = (runId: string, body: object = {}) =>
    bench.call("POST", `/eval-runs/${runId}/regrade`, body);

  it("tells what the kept traces come to under other checks, as a revision of its own; the run stays as it was", async () => {
    const calls = stub.calls;
    const runId = await finished();
    const played = stub.calls;
    const checks = [{ type: "responseContains", needle: "seven hundred" }];
    const { status, body } = await regrade(runId, { checks });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      revision: 1,
      result: "failed",
      summary: { total: 1, failed: 1 },
      cases: [
        {
          caseKey: "asks",
          verdict: "failed",
          before: { passed: 1, failed: 0 },
          reason: expect.stringContaining("seven hundred"),
        },
      ],
    });
    expect((await regrade(runId)).body).toMatchObject({ revision: 2, result: "passed" });
    expect((await bench.call("GET", `/eval-runs/${runId}/gradings`)).body.items).toMatchObject([
      { revision: 2 },
      { revision: 1 },
    ]);
    expect((await bench.call("GET", `/eval-runs/${runId}`)).body.result).toBe("passed");
    expect(played - calls).toBe(1);
    expect(stub.calls, "nothing is played again").toBe(played);
  });

  it("is refused for checks that nobody knows", async () => {
    expect(await regrade(await finished(), { checks: [{ type: "smellsGood" }] })).toMatchObject({
      status: 400,
    });
  });
});
