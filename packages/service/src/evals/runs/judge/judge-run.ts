/** @module Grades a finished run: a job asks the judge about each repetition and writes all grades at once, or why there are none. */
import {
  type EvalIterationId,
  idOf,
  limits,
  type OrganizationId,
  type ProjectId,
} from "@fettle/contract/core";
import type { EvalRunJudges } from "@fettle/contract/evals";
import { type Model, ruleModelId, startDeadline, type Trace } from "@fettle/evals";
import { z } from "zod";
import type { App } from "../../../core/app.ts";
import type { Transaction } from "../../../core/db/pool.ts";
import { defineJob, type JobCall } from "../../../core/jobs/define.ts";
import { mineCompleted } from "../../../insights/asking.ts";
import { openModel } from "../../../models/open-model.ts";
import { announceInProject } from "../../../people/accounts/announce.ts";
import { caseByKey, type FrozenRun } from "../frozen.ts";
import { askedOf } from "../insights/source.ts";
import { findTraces, listGradeable } from "../iteration-store.ts";
import * as store from "../store.ts";
import { evidenceOf } from "./evidence.ts";
import { JudgeFailure, toJudgeFailure } from "./failure.ts";
import { type Grade, grade, type JudgeName, promptHash } from "./grade.ts";
import { createRulesJudge } from "./rules-judge.ts";

/** How a run is graded. */
export interface JudgeSettings {
  model: string;
  threshold: number;
}

const input = z.object({
  projectId: idOf<"project">(),
  organizationId: idOf<"organization">(),
  runId: idOf<"evalRun">(),
  model: z.string(),
  threshold: z.number(),
});
type Input = z.output<typeof input>;

export const judgeRunJob = defineJob({
  name: "evals.judge-run",
  input,
  // A second try spends again.
  retry: { attempts: 2, delayMs: 1_000 },
  timeoutMs: 2 * limits.evals.judge.runMs,
  takesLong: true,
  run: judgeRun,
});

const isByRules = ({ model }: Pick<JudgeSettings, "model">) => model.trim() === ruleModelId;

/** Everything is asked for, and nothing is graded yet. The rules know nothing of claims. */
export function pendingJudges(settings: JudgeSettings): EvalRunJudges {
  const state = {
    ...stateOf(settings),
    status: "pending" as const,
    errorCode: null,
    summary: null,
    generatedAt: null,
  };
  return {
    goalCompletion: { ...state, cases: [] },
    ...(!isByRules(settings) && { groundedness: { ...state, cases: [] } }),
  };
}

const stateOf = (settings: JudgeSettings) => ({
  modelUsed: settings.model,
  threshold: settings.threshold,
  ...(isByRules(settings) && { deterministic: true }),
});

/** In the caller's transaction, so that what pends has somebody who grades it. */
export async function beginJudging(
  app: App,
  tx: Transaction,
  run: store.RunRow,
  organizationId: OrganizationId,
  settings: JudgeSettings,
): Promise<void> {
  const { id: runId, projectId } = run;
  const asked = { projectId, organizationId, runId, ...settings };
  const job = await app.jobs.enqueue(judgeRunJob, asked, { inTransaction: tx });
  await store.setJudges(tx, runId, { judges: pendingJudges(settings), judgeJobId: job.id });
  await announceInProject(app, tx, projectId, "eval-runs");
}

/** Those of a run whose job is over without them. */
export function failedJudges(
  judges: EvalRunJudges,
  errorCode: string,
  summary: string,
  at: number,
): EvalRunJudges {
  const failed = { status: "failed" as const, errorCode, summary, generatedAt: at, cases: [] };
  const { goalCompletion, groundedness } = judges;
  return {
    ...(goalCompletion && { goalCompletion: { ...goalCompletion, ...failed } }),
    ...(groundedness && { groundedness: { ...groundedness, ...failed } }),
  };
}

async function judgeRun(call: JobCall<Input>): Promise<void> {
  const { app, input: asked, signal, finish } = call;
  const run = await store.findRun(app.db, asked.projectId, asked.runId);
  const frozen = run && (await store.readFrozen(app.db, run.id));
  if (!run || !frozen) return;
  const deadline = startDeadline(limits.evals.judge.runMs, signal, "The judge");
  const judges = await gradeAll(app, asked, frozen, deadline.signal)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      const late = deadline.isOver
        ? new JudgeFailure("judge_deadline_exceeded", "The judge was out of time.")
        : undefined;
      const failure = late ?? toJudgeFailure(error);
      if (!failure) throw error;
      return failedJudges(pendingJudges(asked), failure.code, failure.message, app.now());
    })
    .finally(() => deadline.release());
  await finish(async (tx) => {
    await store.setJudges(tx, run.id, { judges, judgeJobId: null });
    // Its grades are part of what is found.
    await mineCompleted(app, tx, await askedOf(tx, run));
    await announceInProject(app, tx, run.projectId, "eval-runs");
  });
}

type Grades = Record<JudgeName, Map<string, Grade[]>>;
/** Traces that are held at a time. */
const chunk = 20;

async function gradeAll(
  app: App,
  asked: Input,
  frozen: FrozenRun,
  signal: AbortSignal,
): Promise<EvalRunJudges> {
  const ids = await listGradeable(app.db, asked.runId, limits.evals.judge.iterations);
  if (ids.length === 0) {
    throw new JudgeFailure(
      "judge_evidence_unavailable",
      "Nothing that could be graded was kept of this run.",
    );
  }
  const ask = await openJudge(app, asked, frozen);
  const grades: Grades = { goalCompletion: new Map(), groundedness: new Map() };
  const cases = caseByKey(frozen);
  for (let from = 0; from < ids.length; from += chunk) {
    const some = ids.slice(from, from + chunk);
    const traces = await findTraces(
      app.db,
      some.map(({ id }) => id),
    );
    const byId = new Map<EvalIterationId, Trace>(
      // Only the engine's traces are stored of a run that was played here.
      traces.map(({ iterationId, trace }) => [iterationId, trace as Trace]),
    );
    await inTurns(some, limits.evals.judge.atOnce, async ({ id, caseKey }) => {
      signal.throwIfAborted();
      const [one, trace] = [cases.get(caseKey), byId.get(id)];
      if (!one || !trace) return;
      for (const [name, given] of await ask(evidenceOf(one, trace), trace, signal)) {
        const known = grades[name].get(caseKey) ?? [];
        grades[name].set(caseKey, [...known, given]);
      }
    });
  }
  return completedJudges(asked, grades, frozen, app.now());
}

type Ask = (
  evidence: ReturnType<typeof evidenceOf>,
  trace: Trace,
  signal: AbortSignal,
) => Promise<[JudgeName, Grade][]>;

async function openJudge(
  app: App,
  asked: { organizationId: OrganizationId; projectId: ProjectId; runId: string } & JudgeSettings,
  { cases }: FrozenRun,
): Promise<Ask> {
  if (isByRules(asked)) {
    const judge = createRulesJudge(cases.flatMap(({ item }) => item.expectedOutput ?? []));
    return async (evidence, trace) => {
      const given = judge(evidence, trace);
      return given ? [["goalCompletion", given]] : [];
    };
  }
  const { organizationId, projectId, runId, model: name } = asked;
  const source = { kind: "judge", id: runId };
  const model: Model = await openModel(app, { organizationId, projectId, name, source });
  return async (evidence, _trace, signal) => {
    const goal = await grade(model, "goalCompletion", evidence, signal);
    // Without a result or an answer there is no claim that one could back.
    if (!evidence.hasResults || evidence.finalText.trim() === "") return [["goalCompletion", goal]];
    return [
      ["goalCompletion", goal],
      ["groundedness", await grade(model, "groundedness", evidence, signal)],
    ];
  };
}

/** Several repetitions are one grade of their case: their mean, with the words of the worst. */
function completedJudges(
  asked: JudgeSettings,
  grades: Grades,
  { cases }: FrozenRun,
  generatedAt: number,
): EvalRunJudges {
  const { threshold } = asked;
  const told = (name: JudgeName) => {
    const graded = cases.flatMap(({ item }) => {
      const given = grades[name].get(item.id);
      if (!given) return [];
      const score = given.reduce((sum, one) => sum + one.score, 0) / given.length;
      const worst = given.reduce((low, one) => (one.score < low.score ? one : low));
      return [
        { caseKey: item.id, score, passed: score >= threshold, reason: worst.reason, items: worst.items },
      ];
    });
    const passed = graded.filter((one) => one.passed).length;
    const left = cases.length - graded.length;
    const by = isByRules(asked) ? " by the built-in rules, no model judged" : "";
    const rest = left === 0 ? "" : `; ${left} not graded: nothing says what is expected, or nothing was kept`;
    return {
      state: {
        ...stateOf(asked),
        ...(!isByRules(asked) && { promptHash: promptHash(name) }),
        status: "completed" as const,
        errorCode: null,
        summary: `${passed} of ${graded.length} cases reach ${threshold}${by}${rest}.`,
        generatedAt,
      },
      graded,
    };
  };
  const [goal, grounded] = [told("goalCompletion"), told("groundedness")];
  return {
    goalCompletion: {
      ...goal.state,
      cases: goal.graded.map(({ items, ...one }) => ({ ...one, rubricHits: items })),
    },
    ...(!isByRules(asked) && {
      groundedness: {
        ...grounded.state,
        cases: grounded.graded.map(({ items, ...one }) => ({ ...one, unsupportedClaims: items })),
      },
    }),
  };
}

async function inTurns<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const waiting = [...items];
  const player = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, player));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
