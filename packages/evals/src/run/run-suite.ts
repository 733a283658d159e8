/** @module Runs a suite: every selected case as often as asked, a few at a time, and then the verdict. Ends in any case, with what was shown. */
import type { AgentLimits } from "../agent/agent-limits.ts";
import { isTimeOver, startDeadline } from "../agent/deadline.ts";
import { limitedMap } from "../agent/limited-map.ts";
import { openServers, type ServerBinding } from "../agent/servers.ts";
import type { Trace } from "../agent/trace.ts";
import { digestOf } from "../digest.ts";
import {
  type CaseFacts,
  type HollowReason,
  hollowWord,
  type IterationFacts,
  type RunFacts,
} from "../gate/run-facts.ts";
import { type GradingOptions, type IterationGrade, planOf } from "../grading/grade-case.ts";
import { evaluationConfigHash } from "../grading/scores.ts";
import {
  type CaseSummary,
  judgeRun,
  type RunVerdict,
  summarizeCase,
  type Validity,
} from "../grading/verdict.ts";
import type { CassetteFacts } from "../models/cassette/cassette-facts.ts";
import type { Tapes } from "../models/cassette/tapes.ts";
import { type Model, weakestClass } from "../models/model.ts";
import { fullModelName } from "../models/model-name.ts";
import { priceUnderLimit } from "../models/spend.ts";
import type { SuiteCase, SuiteFile } from "../suite/suite-file.ts";
import { counted, times } from "../told.ts";
import { odditiesOf } from "./model-oddities.ts";
import { type PlayedIteration, playCase, tokensOf, whyOf } from "./play-case.ts";

export interface SuiteRun {
  id: string;
  suite: SuiteFile;
  cases: readonly SuiteCase[];
  bindings: readonly ServerBinding[];
  /** Throws a ModelError where a name cannot be served. */
  openModel(name: string): Model;
  /** Records the models, or plays them back without them. */
  tapes?: Tapes | undefined;
  /** Instead of every name in the file. */
  model?: string | undefined;
  repetitions?: number | undefined;
  /** Repetitions that run at the same time. */
  concurrency?: number | undefined;
  limits?: Partial<AgentLimits> | undefined;
  grading?: GradingOptions | undefined;
  minimumPassRate?: number | undefined;
  /** The longest that one repetition may take. */
  iterationMs?: number | undefined;
  signal: AbortSignal;
  now: number;
  onIteration?: ((done: number, total: number) => void) | undefined;
}

/** A repetition with what happened in it; `trace` is kept of some only, so that a long run stays small. */
export interface RecordedIteration {
  facts: IterationFacts;
  /** What the model did that a reader should know; it was graded all the same. */
  oddity?: string;
  /** How a recording served it. */
  cassette?: CassetteFacts;
  /** US dollars; null when unknown. */
  costUsd: number | null;
  grade?: IterationGrade;
  trace?: Trace;
}

/** What reports are made of: a case as it was judged, wherever it was played. */
export interface JudgedCase {
  facts: CaseFacts;
  summary: CaseSummary;
  iterations: RecordedIteration[];
}

export interface RecordedCase extends JudgedCase {
  item: SuiteCase;
}

export interface JudgedRun {
  facts: RunFacts;
  verdict: RunVerdict;
  models: string[];
  /** A model that always does the same was asked once, whatever the file says. */
  repetitionsCollapsed: boolean;
  cases: JudgedCase[];
  /** What a reader must know, once each. */
  warnings: string[];
  durationMs: number;
}

export interface SuiteRecord extends JudgedRun {
  cases: RecordedCase[];
}

const defaults = { concurrency: 4, iterationMs: 600_000 };
/** Of one case: the failing ones first are what a reader opens. */
const tracesKept = 3;

interface Planned {
  item: SuiteCase;
  model: Model;
  repetitions: number;
}

export async function runSuite(run: SuiteRun): Promise<SuiteRecord> {
  const startedAt = performance.now();
  const { suite, signal } = run;
  const planned: Planned[] = [];
  for (const item of run.cases) planned.push(await planCase(run, item));
  for (const { model } of planned) {
    if (run.limits?.spend && model.modelClass === "live") priceUnderLimit(model);
  }
  const work = planned.flatMap((plan) =>
    Array.from({ length: plan.repetitions }, (_, index) => ({ plan, number: index + 1 })),
  );
  let done = 0;
  const policy = suite.defaults.toolPolicy;
  const kept = new Map<SuiteCase, number>();
  const played = await limitedMap(work, run.concurrency ?? defaults.concurrency, async ({ plan, number }) => {
    const deadline = startDeadline(run.iterationMs ?? defaults.iterationMs, signal, "The repetition");
    const outcome = await playCase(plan.item, {
      model: await modelOf(run, plan.item, number),
      connect: (opening) => openServers(run.bindings, opening),
      system: suite.defaults.systemPrompt,
      temperature: suite.defaults.temperature,
      policy: policy && { mode: policy.mode, allow: policy.allow ?? [], deny: policy.deny ?? [] },
      limits: run.limits,
      grading: run.grading,
      signal: deadline.signal,
      now: run.now,
    });
    deadline.release();
    run.onIteration?.(++done, work.length);
    const recorded = recordIteration(run, plan.item, number, outcome);
    return {
      item: plan.item,
      iteration: keepsTrace(plan.item, recorded, kept) ? recorded : withoutTrace(recorded),
    };
  });
  const cases = planned.map(({ item, repetitions }): RecordedCase => {
    const own = played.flatMap((one) => (one.item === item ? [one.iteration] : []));
    return recordCase(run, item, repetitions, own);
  });
  const verdict = judgeRun(
    cases.map(({ summary }) => summary),
    validityOf(suite),
    run.minimumPassRate,
  );
  const durationMs = Math.round(performance.now() - startedAt);
  const models = [...new Set(planned.map(({ model }) => model.id))];
  return {
    facts: factsOf(run, planned, cases, verdict, durationMs),
    verdict,
    models,
    repetitionsCollapsed: collapsedNotes(run, planned).length > 0,
    cases,
    warnings: [
      ...collapsedNotes(run, planned),
      ...warningsOf(planned, cases, run.cases),
      ...oddities(cases),
      ...passAnyway(cases),
      ...hollowReasonsOf(cases).map(
        (reason) => `This run proves nothing about the server: ${hollowWord[reason]}.`,
      ),
    ],
    durationMs,
  };
}

async function planCase(run: SuiteRun, item: SuiteCase): Promise<Planned> {
  const model = await modelOf(run, item, 1);
  // Repeating what always does the same adds no evidence, and no more does playing a recording twice.
  const different = model.deterministic ? 1 : (model.recordings ?? Number.POSITIVE_INFINITY);
  return { item, model, repetitions: Math.min(asked(run, item), different) };
}

function modelNameOf({ suite, model }: SuiteRun, item: SuiteCase): string {
  const { defaults: file } = suite;
  return model ?? fullModelName(item.model ?? file.model, file.provider);
}

/** What is recorded differs from repetition to repetition, so that each has a model of its own. */
async function modelOf(run: SuiteRun, item: SuiteCase, iteration: number): Promise<Model> {
  const name = modelNameOf(run, item);
  if (!run.tapes) return run.openModel(name);
  const { scenarioContentHash } = planOf(item, run.grading);
  const taped = { caseKey: item.id, scenarioContentHash, model: name, iteration };
  return run.tapes.model(taped, () => run.openModel(name));
}

function collapsedNotes(run: SuiteRun, planned: readonly Planned[]): string[] {
  const collapsed = planned.filter(({ item, repetitions }) => asked(run, item) > repetitions);
  const notes = collapsed.map(({ model: { id, recordings }, repetitions }) =>
    recordings === undefined
      ? `${id} always does the same, so that each case was played once.`
      : `${counted(repetitions, "repetition")} of ${id} ${repetitions === 1 ? "is" : "are"} recorded, so that each case was played ${times(repetitions)}: more would be copies.`,
  );
  return [...new Set(notes)];
}

function asked({ repetitions, suite }: SuiteRun, item: SuiteCase): number {
  return repetitions ?? item.repetitions ?? suite.defaults.repetitions;
}

function validityOf({ defaults: { validity } }: SuiteFile): Validity {
  return validity;
}

/** Kept are the transcripts that people open: a case's first one, and the first that did not pass. */
function keepsTrace(
  item: SuiteCase,
  { facts, trace }: RecordedIteration,
  kept: Map<SuiteCase, number>,
): boolean {
  const count = kept.get(item) ?? 0;
  if (!trace || (count > 0 && (facts.result === "passed" || count >= tracesKept))) return false;
  kept.set(item, count + 1);
  return true;
}

function withoutTrace({ trace: _trace, ...rest }: RecordedIteration): RecordedIteration {
  return rest;
}

function recordIteration(
  run: SuiteRun,
  item: SuiteCase,
  number: number,
  played: PlayedIteration,
): RecordedIteration {
  const { status, result, durationMs, trace, grade } = played;
  // What is told as the reason is not told twice.
  const oddity = result === null ? undefined : odditiesOf(trace);
  const why = whyOf(item, run.grading, played);
  return {
    ...(oddity !== undefined && { oddity }),
    ...(trace?.cassette && { cassette: trace.cassette }),
    facts: {
      id: `${run.id}_${item.id}_${number}`,
      iterationNumber: number,
      status,
      result,
      ...(why !== undefined && { error: why }),
      durationMs,
      totalTokens: tokensOf(trace),
      scores: grade?.scores ?? [],
    },
    costUsd: trace?.costUsd ?? null,
    ...(grade && { grade }),
    ...(trace && { trace }),
  };
}

/** Once for each case: a pass with a refusal in it, or by another way than recorded, is worth a look too. */
function oddities(cases: readonly RecordedCase[]): string[] {
  return cases.flatMap(({ item, iterations }) => {
    const words = iterations.flatMap(({ oddity, cassette }) =>
      // What a stale recording was played for is told of the whole run.
      [oddity, cassette?.staleAccepted ? undefined : cassette?.divergence].filter((one) => one !== undefined),
    );
    return [...new Set(words)].map((one) => {
      const count = words.filter((other) => other === one).length;
      return `${item.id}, ${count} of ${counted(iterations.length, "repetition")}: ${one}`;
    });
  });
}

/** Green that says nothing must not look like green that does. */
function passAnyway(cases: readonly RecordedCase[]): string[] {
  return cases.flatMap(({ item, facts, summary }) =>
    facts.passThreshold === 0 && summary.passed === 0 && summary.failed > 0
      ? [`${item.id} passes although every repetition failed: its passThreshold is 0.`]
      : [],
  );
}

function recordCase(
  run: SuiteRun,
  item: SuiteCase,
  configured: number,
  iterations: RecordedIteration[],
): RecordedCase {
  const { definitions, scenarioContentHash } = planOf(item, run.grading);
  const passThreshold = item.passThreshold ?? run.suite.defaults.passThreshold;
  const summary = summarizeCase(
    iterations.map(({ facts }) => facts),
    configured,
    passThreshold,
  );
  return {
    item,
    summary,
    iterations,
    facts: {
      caseKey: item.id,
      title: item.title,
      scenarioContentHash,
      evaluationConfigHash: evaluationConfigHash(definitions),
      definitions,
      passThreshold,
      configured,
      verdict: summary.verdict,
      iterations: iterations.map(({ facts }) => facts),
    },
  };
}

function factsOf(
  run: SuiteRun,
  planned: readonly Planned[],
  cases: readonly RecordedCase[],
  verdict: RunVerdict,
  durationMs: number,
): RunFacts {
  const { suite, signal } = run;
  const traces = cases.flatMap(({ iterations }) => iterations.flatMap(({ trace }) => trace ?? []));
  const costs = cases.flatMap(({ iterations }) => iterations.map(({ costUsd }) => costUsd));
  const { systemPrompt = "", temperature = null, toolPolicy = null } = suite.defaults;
  const hollow = hollowReasonsOf(cases);
  const approximated = cases.some(({ item }) => item.import?.status === "approximated");
  return {
    id: run.id,
    suite: { id: suite.suite.id, name: suite.suite.name },
    status: !signal.aborted ? "completed" : isTimeOver(signal) ? "timed_out" : "cancelled",
    result: signal.aborted ? null : hollow.length > 0 ? "inconclusive" : verdict.result,
    reasons: verdict.reasons,
    modelClass: weakestClass([...traces, ...planned].map(({ model }) => model.modelClass)),
    execution: {
      model: [...new Set(planned.map(({ model }) => model.id))].sort().join(", "),
      systemPrompt: digestOf(systemPrompt),
      temperature: String(temperature),
      toolPolicy: digestOf(toolPolicy),
      servers: digestOf(
        (traces[0]?.servers ?? []).map(({ name, toolsHash, protocolVersion }) => ({
          name,
          toolsHash,
          protocolVersion,
        })),
      ),
    },
    createdAt: run.now,
    completedAt: run.now + durationMs,
    costUsd:
      costs.length > 0 && costs.every((cost) => cost !== null)
        ? costs.reduce((sum, one) => sum + one, 0)
        : null,
    ...(hollow.length > 0 && { provesNothing: hollow }),
    ...(approximated && { importEligibility: { status: "eligible" as const, gateable: true } }),
    cases: cases.map(({ facts }) => facts),
  };
}

function hollowReasonsOf(cases: readonly RecordedCase[]): HollowReason[] {
  const isStale = cases.some(({ iterations }) => iterations.some((one) => one.cassette?.staleAccepted));
  return isStale ? ["staleAccepted"] : [];
}

function warningsOf(
  planned: readonly Planned[],
  cases: readonly RecordedCase[],
  selected: readonly SuiteCase[],
): string[] {
  const traces = cases.flatMap(({ iterations }) => iterations.flatMap(({ trace }) => trace ?? []));
  const notices = planned.flatMap(({ model }) => model.notice ?? []);
  return [
    ...new Set([
      ...notices,
      ...traces.flatMap(({ warnings }) => warnings),
      ...unknownTools(selected, traces),
    ]),
  ];
}

/** An assertion about a tool that no server has can only fail, or only pass. */
function unknownTools(selected: readonly SuiteCase[], [trace]: readonly Trace[]): string[] {
  if (!trace) return [];
  const known = new Set(trace.tools.map(({ name }) => name));
  return selected.flatMap(({ id, steps, checks = [], assertions = [] }) => {
    const asserted = steps.flatMap((step) =>
      step.kind === "assert" && "type" in step.assertion ? [step.assertion] : [],
    );
    const named = [...asserted, ...checks, ...assertions].flatMap((one) =>
      "toolName" in one && one.toolName ? [one.toolName] : [],
    );
    return named
      .filter((name) => !known.has(name))
      .map((name) => `${id} asks about the tool "${name}", which no server has.`);
  });
}
