/** @module Runs of the service as the reports and the gate of local ones take them. */
import { limits } from "@fettle/contract/core";
import type { EvalIteration, EvalRunCompare, EvalRunDetail } from "@fettle/contract/evals";
import { digestOf } from "../digest.ts";
import type { Comparison, Compatibility } from "../gate/compare.ts";
import { judgeRun, summarizeCase } from "../grading/verdict.ts";
import type { JudgedCase, JudgedRun, RecordedIteration } from "../run/suite-record.ts";

/** `iterations` are all of the run's. The service's verdict is the verdict; only the rates are counted again. */
export function judgedRunOf(run: EvalRunDetail, iterations: readonly EvalIteration[]): JudgedRun {
  const passThreshold = run.passCriteria.minimumPassRate / limits.evals.percent;
  const cases = [...Map.groupBy(iterations, ({ caseKey }) => caseKey).values()].map((own) =>
    judgedCaseOf(own, passThreshold),
  );
  const models = [...new Set(iterations.flatMap(({ model }) => model ?? []))];
  const counted = judgeRun(
    cases.map(({ summary }) => summary),
    {},
    passThreshold,
  );
  const { environment, target } = run;
  return {
    facts: {
      id: run.id,
      suite: { id: run.declaredSuiteId ?? run.suiteId, name: run.suiteName },
      status: run.status,
      result: run.result,
      reasons: run.reasons,
      modelClass: run.modelClass ?? "live",
      execution: {
        model: [...models].sort().join(", "),
        target: `${target.kind} ${target.id ?? target.name}`,
        environment: environment === null ? "" : `${environment.id} at ${environment.revision}`,
      },
      createdAt: run.createdAt,
      completedAt: run.completedAt,
      costUsd: run.costUsd,
      ...(run.ci?.commitSha !== undefined && { commitSha: run.ci.commitSha }),
      ...(run.importEligibility && {
        importEligibility: {
          status: run.importEligibility.status,
          gateable: run.importEligibility.gateable,
        },
      }),
      cases: cases.map(({ facts }) => facts),
    },
    verdict: { ...counted, result: run.result ?? "inconclusive" },
    models,
    repetitionsCollapsed: run.repetitionsCollapsed,
    cases,
    warnings: run.warnings,
    durationMs: run.durationMs ?? 0,
  };
}

/** What the service tells of two runs: it alone knows what was asked in their cases. */
export function comparisonOf(told: EvalRunCompare): Comparison {
  const { suite, baseRun, compareRun, passSummary, metrics, scoreContract, execution, cases } = told;
  return {
    suite,
    baseRunId: baseRun.id,
    compareRunId: compareRun.id,
    passSummary,
    metrics,
    evaluationConfigChanged: scoreContract.evaluationConfigChanged,
    execution,
    // The service's reasons are made by the same function; another word would only not be told.
    compatibility: told.compatibility as Compatibility,
    cases,
  };
}

function judgedCaseOf(own: readonly EvalIteration[], passThreshold: number): JudgedCase {
  const [first] = own;
  const summary = summarizeCase(own, own.length, passThreshold);
  const iterations = own.map(recordedOf);
  const { caseKey = "", title = "", evaluationConfig, expectedToolCalls } = first ?? {};
  return {
    summary,
    iterations,
    facts: {
      caseKey,
      title,
      // Prompts stay in the service, so that this tells a case by what is expected of it.
      scenarioContentHash: digestOf({ caseKey, title, expectedToolCalls, hash: evaluationConfig?.hash }),
      evaluationConfigHash: evaluationConfig?.hash ?? "",
      definitions: evaluationConfig?.definitions ?? [],
      passThreshold,
      configured: own.length,
      verdict: summary.verdict,
      iterations: iterations.map(({ facts }) => facts),
    },
  };
}

function recordedOf(one: EvalIteration): RecordedIteration {
  return {
    costUsd: one.costUsd,
    ...(one.model !== null && { model: one.model }),
    facts: {
      id: one.id,
      iterationNumber: one.iterationNumber,
      status: one.status,
      result: one.result,
      ...(one.error !== null && { error: one.error }),
      durationMs: one.durationMs,
      totalTokens: one.tokensUsed,
      scores: one.scores ?? [],
    },
  };
}
