/** @module Runs a suite: every selected case as often as asked, a few at a time, and then the verdict. Ends in any case, with what was shown. */
import type { AgentLimits } from "../agent/agent-limits.ts";
import { isTimeOver, startDeadline } from "../agent/deadline.ts";
import { limitedMap } from "../agent/limited-map.ts";
import { openServers, type ServerBinding } from "../agent/servers.ts";
import type { TapedCase, Tapes } from "../cassette/tapes.ts";
import { digestOf } from "../digest.ts";
import { type HollowReason, hollowReasons, hollowWord, type RunFacts } from "../gate/run-facts.ts";
import { type GradingOptions, planOf } from "../grading/grade-case.ts";
import { evaluationConfigHash } from "../grading/scores.ts";
import { judgeRun, type RunVerdict, summarizeCase, type Validity } from "../grading/verdict.ts";
import { type Model, weakestClass } from "../models/model.ts";
import { fullModelName } from "../models/model-name.ts";
import { priceUnderLimit } from "../models/spend.ts";
import type { SuiteCase, SuiteFile } from "../suite/suite-file.ts";
import { counted, times } from "../told.ts";
import { odditiesOf } from "./model-oddities.ts";
import { type PlayedIteration, playCase, tokensOf, whyOf } from "./play-case.ts";
import { warningsOf } from "./run-warnings.ts";
import type { RecordedCase, RecordedIteration, SuiteRecord } from "./suite-record.ts";

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
      connect: (opening) => serversOf(run, plan.item, number, opening),
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
      ...disabledNote(run),
      ...collapsedNotes(run, planned),
      ...warningsOf(planned, cases, run.cases),
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
  const taped = tapedCase(run, item, iteration);
  return run.tapes ? run.tapes.model(taped, () => run.openModel(taped.model)) : run.openModel(taped.model);
}

function tapedCase(run: SuiteRun, item: SuiteCase, iteration: number): TapedCase {
  const { scenarioContentHash } = planOf(item, run.grading);
  return { caseKey: item.id, scenarioContentHash, model: modelNameOf(run, item), iteration };
}

/** Of a recording with its tools, none has to be there. */
async function serversOf(run: SuiteRun, item: SuiteCase, iteration: number, signal: AbortSignal) {
  const servers = await openServers(run.bindings, signal);
  if (!run.tapes) return servers;
  try {
    const links = await run.tapes.servers(tapedCase(run, item, iteration), servers.links);
    return { links, [Symbol.asyncDispose]: servers.close };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** A draft has most of its cases disabled; a green run of the rest must not look like all of it. */
function disabledNote({ suite: { cases }, cases: selected }: SuiteRun): string[] {
  const off = cases.filter(({ disabled }) => disabled === true).length;
  // Whoever names cases knows that there are others.
  if (off === 0 || selected.length + off < cases.length) return [];
  const isOne = off === 1;
  return [
    `${off} of the file's ${cases.length} cases ${isOne ? "is" : "are"} disabled and ${isOne ? "was" : "were"} not played.`,
  ];
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
  const { status, result, durationMs, trace, grade, stoppedByCassette } = played;
  // What is told as the reason is not told twice.
  const oddity = result === null ? undefined : odditiesOf(trace);
  const why = whyOf(item, run.grading, played);
  return {
    model: trace?.model.id ?? modelNameOf(run, item),
    ...(oddity !== undefined && { oddity }),
    ...(trace?.cassette && { cassette: trace.cassette }),
    ...(stoppedByCassette && { stoppedByCassette }),
    ...((trace === undefined || trace.exclusion !== null) && { brokeOff: true as const }),
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
    result: signal.aborted ? null : hollow.includes("staleAccepted") ? "inconclusive" : verdict.result,
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
  const played = cases.flatMap(({ iterations }) => iterations.flatMap(({ cassette }) => cassette ?? []));
  return hollowReasons.filter((reason) => played.some((one) => one[reason]));
}
