/** @module Reads a run, its waiver and its baseline, and decides the gate by the engine's rule. What cannot be read is no verdict, never a failure. */
import { ApiError } from "@fettle/contract/core";
import type { EvalRunCompare, EvalRunDetail, GateWaiver } from "@fettle/contract/evals";
import {
  comparisonOf,
  decideGate,
  type GatePolicy,
  type GateReport,
  type JudgedRun,
  type RunFacts,
} from "@fettle/evals";
import { toCliError, usageError } from "../cli-error.ts";
import type { Asked, Baseline } from "./gate-policy.ts";
import type { Place } from "./hosted-target.ts";
import { judgeRun } from "./hosted-wait.ts";

/** Which baseline was asked for, which was found, and what the two runs have in common. */
export interface BaselineComparison {
  requestedBaselineKind: Baseline["kind"];
  requestedBaselineRunId?: string;
  requestedBaselineCommitSha?: string;
  resolvedBaselineCommitSha?: string;
  baselineMatchUnique?: boolean;
  baselineMatchCount?: number;
  baselineMatchCountTruncated?: boolean;
  baseRunId: string | null;
  compareRunId: string;
  policy: object;
  compatibility?: object;
}

export interface Decided {
  gate: GateReport;
  /** The two runs side by side, where there is a baseline. */
  compare?: EvalRunCompare;
  run?: EvalRunDetail;
  judged?: JudgedRun;
  waiver?: GateWaiver | null;
  baselineComparison?: BaselineComparison;
}

export async function decideHosted(
  place: Place,
  { runId, policy, baseline }: Asked,
  judged: JudgedRun,
  now: number,
): Promise<Decided> {
  const { client, projectId } = place;
  const { waiver } = await client.getEvalRunGate({ projectId, runId });
  const found = baseline && (await findBaseline(place, runId, baseline));
  const gate = decideGate({
    run: judged.facts,
    policy,
    ...(found && { baseline: found.facts }),
    ...(found?.compare && { comparison: comparisonOf(found.compare) }),
    waiver,
    now,
  });
  if (!found) return { gate, judged, waiver };
  // The rule knows that there is none; why is known here.
  const { problem } = found;
  const verdicts = problem
    ? gate.verdicts.map((row) => (row.gate === "baseline" ? { ...row, message: problem } : row))
    : gate.verdicts;
  return {
    gate: { ...gate, verdicts },
    judged,
    waiver,
    ...(found.compare && { compare: found.compare }),
    baselineComparison: provenanceOf(runId, baseline, policy, found),
  };
}

interface FoundBaseline {
  /** Null: it cannot be read. */
  facts: RunFacts | null;
  run?: EvalRunDetail;
  compare?: EvalRunCompare;
  problem?: string;
}

export function baselineQuery(baseline: Baseline): { baseRunId?: string; baseCommitSha?: string } {
  if (baseline.kind === "run") return { baseRunId: baseline.runId };
  return baseline.kind === "commitSha" ? { baseCommitSha: baseline.sha } : {};
}

async function findBaseline(place: Place, runId: string, baseline: Baseline): Promise<FoundBaseline> {
  const { client, projectId } = place;
  const query = baselineQuery(baseline);
  try {
    const compare = await client.compareEvalRun({ projectId, runId, query });
    const run = await client.getEvalRun({ projectId, runId: compare.baseRun.id });
    return { facts: (await judgeRun(place, run)).facts, run, compare };
  } catch (error) {
    // Without access there is nothing to say about any baseline.
    if (error instanceof ApiError && error.status === 401) throw error;
    if (error instanceof ApiError && error.details?.code === "BASELINE_AMBIGUOUS")
      throw usageError(error.message, {
        hint: "Give more characters of the commit.",
        choices: error.details.commits as string[],
      });
    return { facts: null, problem: toCliError(error).message };
  }
}

function provenanceOf(
  compareRunId: string,
  asked: Baseline,
  { regression, noDeterministicRegressions, maximumP95LatencyIncreaseMs }: GatePolicy,
  { run, compare }: FoundBaseline,
): BaselineComparison {
  const { matchCount, matchCountTruncated } = compare?.baseline ?? {};
  const sha = run?.ci?.commitSha;
  return {
    requestedBaselineKind: asked.kind,
    ...(asked.kind === "run" && { requestedBaselineRunId: asked.runId }),
    ...(asked.kind === "commitSha" && { requestedBaselineCommitSha: asked.sha }),
    ...(sha !== undefined && { resolvedBaselineCommitSha: sha }),
    ...(compare && { baselineMatchUnique: matchCount === undefined }),
    ...(matchCount !== undefined && {
      baselineMatchCount: matchCount,
      baselineMatchCountTruncated: matchCountTruncated === true,
    }),
    baseRunId: compare?.baseRun.id ?? null,
    compareRunId,
    policy: {
      passRateRegression: regression ?? null,
      noDeterministicRegressions: noDeterministicRegressions === true,
      maximumP95LatencyIncreaseMs: maximumP95LatencyIncreaseMs ?? null,
    },
    ...(compare && { compatibility: compatibilityOf(compare) }),
  };
}

function compatibilityOf({ compatibility, scoreContract, cases }: EvalRunCompare) {
  const { incompatibleCases, comparableCaseIds } = compatibility;
  const has = (...wanted: string[]) =>
    incompatibleCases.some(({ reasons }) => reasons.some((reason) => wanted.includes(reason)));
  return {
    caseSetChanged: has("case_added", "case_removed"),
    scenarioConfigChanged: has("scenario_config_changed"),
    evaluationConfigChanged: scoreContract.evaluationConfigChanged,
    iterationWeightingEqual: !has("iteration_weighting_unequal"),
    baseScoreIntegrity: scoreContract.base.scoreIntegrity,
    compareScoreIntegrity: scoreContract.compare.scoreIntegrity,
    comparableCaseIds,
    incompatibleCases: incompatibleCases.map(({ caseKey, reasons }) => ({
      caseKey,
      status: cases.find((one) => one.caseKey === caseKey)?.status ?? null,
      reasons,
    })),
  };
}

/** When the service could not be asked: there is no verdict, and a caller may try again. */
export function unread(thrown: unknown): Decided {
  const { code, message, hint } = toCliError(thrown);
  const advice =
    hint ?? (code === "NOT_FOUND" ? "`fettle cloud eval runs` lists the project's runs." : "Try again.");
  return {
    gate: {
      outcome: "incomplete",
      verdicts: [{ gate: "fetch", status: "non_gateable", message: `${code}: ${message} ${advice}` }],
      scoreIntegrity: "unknown",
    },
  };
}
