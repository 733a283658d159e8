/** @module Two runs of a suite side by side: which cases changed, in what, and whether the runs may be compared as a whole. */
import { type CaseStatus, caseStatuses } from "@fettle/contract/evals";
import { percentile, type Sample } from "../grading/statistics.ts";
import type { CaseFacts, IterationFacts, RunFacts } from "./run-facts.ts";

/** A number on both sides; null where it is not known. */
export interface NumberDiff {
  base: number | null;
  compare: number | null;
  delta: number | null;
  percentDelta: number | null;
}

export interface ScoreSide {
  status: "scored" | "error" | "skipped" | "not_applicable";
  value: number | null;
  passed: boolean | null;
}

export interface ScoreDelta {
  scorerId: string;
  label: string;
  gating: boolean;
  deterministic: boolean;
  definitionChanged: boolean;
  base: ScoreSide | null;
  compare: ScoreSide | null;
  value: NumberDiff;
}

export interface CaseSide {
  outcome: "passed" | "failed" | "absent";
  passed: number;
  eligible: number;
  iterationIds: string[];
  representativeIterationId: string | null;
  error: string | null;
}

export interface CaseComparison {
  caseKey: string;
  title: string;
  status: CaseStatus;
  configChanged: boolean;
  evaluationConfigChanged: boolean;
  scoreDeltas: ScoreDelta[];
  base: CaseSide;
  compare: CaseSide;
}

/** Why a case of the two runs is not the same experiment. */
export type Incompatibility =
  | "case_added"
  | "case_removed"
  | "scenario_config_changed"
  | "evaluation_config_changed"
  | "iteration_weighting_unequal";

export interface Compatibility {
  /** Whole-run gates hold only where all is compatible. */
  comparable: boolean;
  modelClassChanged: boolean;
  comparableCaseIds: string[];
  incompatibleCases: { caseKey: string; reasons: Incompatibility[] }[];
}

export interface Comparison {
  suite: { id: string; name: string };
  baseRunId: string;
  compareRunId: string;
  passSummary: Record<"passRatePercent" | "total" | "passed" | "failed", NumberDiff>;
  metrics: Record<"wallDurationMs" | "totalTokens" | "estimatedCostUsd" | "p95LatencyMs", NumberDiff>;
  evaluationConfigChanged: boolean;
  /** What the runs were made with. A difference here is often the point, and told; only of two models nothing is compared. */
  execution: { changed: string[] };
  compatibility: Compatibility;
  cases: CaseComparison[];
}

export function compareRuns(base: RunFacts, compare: RunFacts): Comparison {
  const keys = [...new Set([...base.cases, ...compare.cases].map(({ caseKey }) => caseKey))].sort(
    byCodePoint,
  );
  const [earlier, later] = [base, compare].map(
    ({ cases: all }) => new Map(all.map((item) => [item.caseKey, item])),
  ) as [Map<string, CaseFacts>, Map<string, CaseFacts>];
  const pairs = keys.map((key) => ({ key, before: earlier.get(key), after: later.get(key) }));
  const cases = pairs
    .map(({ key, before, after }) => compareCase(key, before, after))
    .sort((one, other) => caseStatuses.indexOf(one.status) - caseStatuses.indexOf(other.status));
  const incompatibleCases = pairs.flatMap(({ key, before, after }) => {
    const reasons = incompatibilities(before, after);
    return reasons.length > 0 ? [{ caseKey: key, reasons }] : [];
  });
  const modelClassChanged = base.modelClass !== compare.modelClass;
  const [one, other] = [totalsOf(base), totalsOf(compare)];
  return {
    suite: compare.suite,
    baseRunId: base.id,
    compareRunId: compare.id,
    passSummary: {
      passRatePercent: numberDiff(one.passRatePercent, other.passRatePercent),
      total: numberDiff(one.total, other.total),
      passed: numberDiff(one.passed, other.passed),
      failed: numberDiff(one.total - one.passed, other.total - other.passed),
    },
    metrics: {
      wallDurationMs: numberDiff(wallMs(base), wallMs(compare)),
      totalTokens: numberDiff(totalTokensOf(base), totalTokensOf(compare)),
      estimatedCostUsd: numberDiff(base.costUsd, compare.costUsd),
      p95LatencyMs: numberDiff(p95Of(base), p95Of(compare)),
    },
    evaluationConfigChanged: cases.some((item) => item.evaluationConfigChanged),
    execution: { changed: changedExecution(base, compare) },
    compatibility: {
      comparable: incompatibleCases.length === 0 && !modelClassChanged && !isOtherModel(base, compare),
      modelClassChanged,
      comparableCaseIds: keys.filter((key) => !incompatibleCases.some(({ caseKey }) => caseKey === key)),
      incompatibleCases,
    },
    cases,
  };
}

/** Never by locale: the same two files give the same bytes everywhere. */
const byCodePoint = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

export const isEligible = ({ result }: IterationFacts) => result !== null;

function compareCase(
  key: string,
  before: CaseFacts | undefined,
  after: CaseFacts | undefined,
): CaseComparison {
  const both = before !== undefined && after !== undefined;
  const configChanged = both && before.scenarioContentHash !== after.scenarioContentHash;
  const evaluationConfigChanged = both && before.evaluationConfigHash !== after.evaluationConfigHash;
  const base = sideOf(before);
  const compare = sideOf(after);
  return {
    caseKey: key,
    title: (after ?? before)?.title ?? key,
    status: statusOf(base, compare, configChanged || evaluationConfigChanged),
    configChanged,
    evaluationConfigChanged,
    scoreDeltas: scoreDeltas(before, after),
    base,
    compare,
  };
}

function statusOf(base: CaseSide, compare: CaseSide, changed: boolean): CaseStatus {
  if (base.outcome === "absent") return "new_case";
  if (compare.outcome === "absent") return "removed_case";
  if (changed) return "changed";
  if (base.outcome === "passed" && compare.outcome === "failed") return "regressed";
  if (base.outcome === "failed" && compare.outcome === "passed") return "fixed";
  return compare.outcome === "passed" ? "unchanged_passed" : "unchanged_failed";
}

function sideOf(facts: CaseFacts | undefined): CaseSide {
  if (!facts) {
    return {
      outcome: "absent",
      passed: 0,
      eligible: 0,
      iterationIds: [],
      representativeIterationId: null,
      error: null,
    };
  }
  const failing = facts.iterations.find(({ result }) => result === "failed");
  const representative = failing ?? facts.iterations[0];
  const why = facts.iterations.find(({ error }) => error !== undefined)?.error;
  return {
    outcome: facts.verdict === "passed" ? "passed" : "failed",
    passed: facts.iterations.filter(({ result }) => result === "passed").length,
    eligible: facts.iterations.filter(isEligible).length,
    iterationIds: facts.iterations.map(({ id }) => id),
    representativeIterationId: representative?.id ?? null,
    error:
      facts.verdict === "inconclusive"
        ? `inconclusive: ${why ?? "nothing gradeable"}`
        : (failing?.error ?? null),
  };
}

function scoreDeltas(before: CaseFacts | undefined, after: CaseFacts | undefined): ScoreDelta[] {
  if (!before || !after) return [];
  const ids = [...new Set([...before.definitions, ...after.definitions].map(({ scorerId }) => scorerId))];
  return ids.sort(byCodePoint).map((scorerId) => {
    const [one, other] = [before, after].map(({ definitions }) =>
      definitions.find((item) => item.scorerId === scorerId),
    );
    const [base, compare] = [before, after].map((facts) => scoreSide(facts, scorerId)) as [
      ScoreSide | null,
      ScoreSide | null,
    ];
    const hashes = [before, after].map(({ iterations }) => {
      for (const { scores } of iterations) {
        const row = scores.find((score) => score.scorerId === scorerId);
        if (row) return row.definitionHash;
      }
      return undefined;
    });
    return {
      scorerId,
      label: (other ?? one)?.label ?? scorerId,
      gating: (other ?? one)?.role === "gating",
      deterministic: one?.deterministic === true && other?.deterministic === true,
      definitionChanged:
        one?.implementationHash !== other?.implementationHash ||
        (hashes[0] !== undefined && hashes[1] !== undefined && hashes[0] !== hashes[1]),
      base,
      compare,
      value: numberDiff(base?.value ?? null, compare?.value ?? null),
    };
  });
}

/** Over the repetitions that count: passed when all passed, and the mean of the values. */
function scoreSide({ iterations }: CaseFacts, scorerId: string): ScoreSide | null {
  const rows: IterationFacts["scores"] = [];
  for (const { result, scores } of iterations) {
    if (result === null) continue;
    for (const row of scores) if (row.scorerId === scorerId) rows.push(row);
  }
  const [first] = rows;
  if (!first) return null;
  const scored = rows.filter(({ status }) => status === "scored");
  if (scored.length === 0) return { status: first.status, value: null, passed: null };
  return {
    status: "scored",
    value: scored.reduce((sum, row) => sum + (row.value ?? 0), 0) / scored.length,
    passed: rows.every(({ passed, status }) => status === "not_applicable" || passed === true),
  };
}

function incompatibilities(before: CaseFacts | undefined, after: CaseFacts | undefined): Incompatibility[] {
  if (!before) return ["case_added"];
  if (!after) return ["case_removed"];
  return [
    ...(before.scenarioContentHash === after.scenarioContentHash
      ? []
      : (["scenario_config_changed"] as const)),
    ...(before.evaluationConfigHash === after.evaluationConfigHash
      ? []
      : (["evaluation_config_changed"] as const)),
    ...(before.iterations.length === after.iterations.length
      ? []
      : (["iteration_weighting_unequal"] as const)),
  ];
}

/** Each violated condition by its name. */
export function populationFaults(
  base: RunFacts,
  run: RunFacts,
  { compatibility, evaluationConfigChanged }: Comparison,
): string[] {
  const cases = (reason: string) =>
    compatibility.incompatibleCases
      .filter(({ reasons }) => reasons.some((one) => one === reason))
      .map(({ caseKey }) => caseKey);
  const told = (reason: string, words: string) => {
    const keys = cases(reason);
    return keys.length === 0 ? [] : [`${words}: ${keys.join(", ")}`];
  };
  return [
    ...told("case_added", "new cases"),
    ...told("case_removed", "removed cases"),
    ...told("scenario_config_changed", "changed cases"),
    ...(evaluationConfigChanged ? told("evaluation_config_changed", "changed checks") : []),
    ...told("iteration_weighting_unequal", "another number of repetitions"),
    ...(compatibility.modelClassChanged ? ["another kind of model"] : []),
    ...(isOtherModel(base, run)
      ? [`another model: ${base.execution.model} before, ${run.execution.model} now`]
      : []),
  ];
}

/** What another model does with a server is no verdict about a change of the server. */
export function isOtherModel({ execution: before }: RunFacts, { execution: after }: RunFacts): boolean {
  return before.model !== after.model;
}

function changedExecution({ execution: before }: RunFacts, { execution: after }: RunFacts): string[] {
  const dimensions = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(byCodePoint);
  return dimensions.filter((name) => before[name] !== after[name]);
}

export function numberDiff(base: number | null, compare: number | null): NumberDiff {
  const delta = base === null || compare === null ? null : compare - base;
  return {
    base,
    compare,
    delta,
    percentDelta: delta === null || base === null || base === 0 ? null : (delta / base) * 100,
  };
}

function totalsOf(run: RunFacts) {
  const counted = run.cases.flatMap(({ iterations }) => iterations).filter(isEligible);
  const passed = counted.filter(({ result }) => result === "passed").length;
  return {
    total: counted.length,
    passed,
    passRatePercent: counted.length === 0 ? null : (passed / counted.length) * 100,
  };
}

/** Independent observations: repetitions of a live model; cases of a model that always does the same. */
export function sampleOf(run: RunFacts): Sample {
  if (run.modelClass === "live") {
    const { total, passed } = totalsOf(run);
    return { total, passed };
  }
  const counted = run.cases.filter(({ verdict }) => verdict !== "inconclusive");
  return { total: counted.length, passed: counted.filter(({ verdict }) => verdict === "passed").length };
}

const wallMs = ({ createdAt, completedAt }: RunFacts) =>
  completedAt === null ? null : completedAt - createdAt;

/** Null when a single one was not measured: a sum of the rest would look like an improvement. */
export function totalTokensOf({ cases }: RunFacts): number | null {
  const tokens = cases.flatMap(({ iterations }) => iterations).map(({ totalTokens }) => totalTokens);
  return tokens.length > 0 && tokens.every((one) => one !== null)
    ? tokens.reduce((sum, one) => sum + one, 0)
    : null;
}

/** Of the repetitions' end-to-end durations; null when one has none. */
export function p95Of({ cases }: RunFacts): number | null {
  const durations = cases.flatMap(({ iterations }) => iterations).map(({ durationMs }) => durationMs);
  return durations.every((one) => one !== null) ? (percentile(durations, 95) ?? null) : null;
}
