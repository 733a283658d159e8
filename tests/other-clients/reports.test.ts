/** Eval results that were made and judged elsewhere, as SDKs report them. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../packages/service/src/testing/eval-bench.ts";

let bench: EvalBench;
beforeAll(async () => {
  bench = await evalBench("http://127.0.0.1:9/mcp");
});
afterAll(() => bench.service.close());

const post = (path: string, body: object) => bench.call("POST", `/eval-ingest/${path}`, body);
const read = async (path: string) => (await bench.call("GET", path)).body;
const readIterations = async (runId: string) => (await read(`/eval-runs/${runId}/iterations`)).items;

let suites = 0;
const report = (results: object[], more: object = {}) =>
  post("report", { suiteName: `Reported ${++suites}`, results, ...more });

/** SHA-256 over JSON with sorted keys, without the label: how reporters name a scorer. */
function hashOf({ label: _, ...definition }: Record<string, unknown>): string {
  const sorted = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : value;
  return createHash("sha256")
    .update(JSON.stringify(sorted(definition)))
    .digest("hex");
}

const definition = (over: object = {}) => ({
  scorerId: "answers-the-question",
  idSource: "explicit",
  scorerVersion: "1",
  implementationHash: "a".repeat(64),
  deterministic: true,
  passThreshold: 0.5,
  role: "gating",
  onError: "fail",
  onSkipped: "fail",
  ...over,
});

function judged(of: ReturnType<typeof definition>, over: object = {}) {
  const { scorerId, scorerVersion, passThreshold, deterministic } = of;
  const row = { scorerId, scorerVersion, passThreshold, deterministic, definitionHash: hashOf(of) };
  return {
    scores: [{ ...row, status: "scored", value: 0.75, passed: true, ...over }],
    evaluationConfig: { hash: "b".repeat(64), definitions: [of] },
  };
}

const one = { caseTitle: "Finds a book", passed: true };

describe("scores with their definitions", () => {
  it.each([
    ["a text as the scorer's version", {}],
    ["a number as the scorer's version", { scorerVersion: 1 }],
    ["half a version", { scorerVersion: 1.5 }],
    ["a version that is no number", { scorerVersion: "2026-11-01+judge" }],
    ["a label", { label: "Answers the question" }],
    ["the judging model and its scope", { model: "openai/gpt-6", scope: { turn: 2, of: "all" } }],
    ["a field that only the reporter knows", { calibratedOn: ["2026-01"] }],
  ])("with %s are graded, and answered as they were sent", async (_, over) => {
    const of = definition(over);
    const metadata = judged(of, { evidence: ["said so"], rationale: "It did" });
    const { status, body } = await report([{ ...one, metadata }]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ result: "passed", summary: { passed: 1, failed: 0, excluded: 0 } });
    const [iteration] = await readIterations(body.runId);
    expect(iteration).toMatchObject({ result: "passed", scoreIntegrity: null, ...metadata });
    expect((await read(`/eval-runs/${body.runId}`)).scoreIntegrity).toBe("valid");
  });

  it("are compared by what was reported of them", async () => {
    const suiteName = "Compared";
    const send = (of: ReturnType<typeof definition>, externalRunId: string) =>
      report([{ ...one, metadata: judged(of) }], { suiteName, externalRunId });
    await send(definition(), "before");
    const { body } = await send(definition({ scorerVersion: "2" }), "after");
    const { scoreContract } = await read(`/eval-runs/${body.runId}/compare`);
    expect(scoreContract.scorers).toMatchObject([
      { scorerId: "answers-the-question", gating: true, definitionChanged: true },
    ]);
  });

  it("that do not belong to their definitions are no verdict", async () => {
    const metadata = judged(definition(), { definitionHash: "f".repeat(64) });
    const { body } = await report([{ ...one, metadata }]);
    expect((await readIterations(body.runId))[0]).toMatchObject({
      result: null,
      scoreIntegrity: "score_integrity_invalid",
    });
  });
});

describe("a trace", () => {
  const said = [
    { role: "user", content: "Find a book" },
    { role: "assistant", content: [{ type: "text", text: "Here is one" }] },
  ];

  it.each<[string, unknown, object[]]>([
    ["an object", { traceVersion: 1, messages: said, spans: [{ id: "s1" }] }, said],
    ["a list of messages", said, said],
    ["a text", "It said: here is one", [{ role: "assistant", content: "It said: here is one" }]],
    ["null", null, []],
  ])("may be %s", async (_, trace, messages) => {
    const { status, body } = await report([{ ...one, trace }]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).not.toHaveProperty("dropped");
    const [{ id }] = await readIterations(body.runId);
    const kept = await read(`/eval-runs/${body.runId}/iterations/${id}/trace`);
    expect(kept).toMatchObject({ messages, trace });
  });

  it.each<[string, unknown]>([
    ["a number", 7],
    ["a list of texts", ["user: find a book"]],
    ["messages of nobody", [{ content: "Find a book" }]],
  ])("that is %s loses its own result and no other", async (_, trace) => {
    const bad = { caseTitle: "Unreadable", passed: true, externalIterationId: "second", trace };
    const { status, body } = await report([one, bad, { caseTitle: "Last", passed: true, trace: "Fine" }]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.dropped).toEqual([
      { index: 1, caseTitle: "Unreadable", externalIterationId: "second", reason: expect.any(String) },
    ]);
    expect(body.dropped[0].reason).toContain("trace");
    // Two passed, but nobody knows of the third.
    expect(body).toMatchObject({ status: "completed", result: "inconclusive", summary: { passed: 2 } });
    expect((await readIterations(body.runId)).map(({ title }: { title: string }) => title)).toEqual([
      "Finds a book",
      "Last",
    ]);
  });

  it("that cannot be read is named when results are sent in pieces, and its result can be sent again", async () => {
    const { body: run } = await post("runs/start", { suiteName: "In pieces" });
    const sent = (trace: unknown) =>
      post("runs/iterations", {
        runId: run.runId,
        results: [one, { caseTitle: "Second", passed: true, trace }],
      });
    expect((await sent(7)).body).toMatchObject({ inserted: 1, total: 1, dropped: [{ index: 1 }] });
    const { body: again } = await sent("Fine");
    expect(again).toEqual({ ok: true, inserted: 1, skipped: 1, total: 2 });
    const { body: finished } = await post("runs/finalize", { runId: run.runId });
    expect(finished).toMatchObject({ result: "passed", summary: { total: 2 } });
  });
});
