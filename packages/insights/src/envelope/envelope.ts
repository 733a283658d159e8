/** @module The one envelope that eval runs, swarm waves and user-testing windows answer with: what was found, and how the asking stands. Pure. */
import { limits } from "@fettle/contract/core";
import type { InsightScope, InsightsEnvelope } from "@fettle/contract/insights";
import type { Mined } from "../mine.ts";

type Unit = InsightsEnvelope["coverage"]["unit"];

/** What was found; stored with a generation as it is. */
export type Analysis = Pick<InsightsEnvelope, "summary" | "coverage" | "findings" | "truncation">;

/** Why an envelope stands as it does, and whether asking again could change it. */
export const reasons = {
  feature_disabled: false,
  run_not_terminal: true,
  nothing_to_analyze: false,
  not_requested: true,
  window_not_analyzed: true,
  deterministic_only: false,
  model_enriched: false,
  model_failed_fallback: true,
  ledger_exhausted: true,
  canceled: true,
  superseded: true,
  snapshot_unavailable: false,
} as const;
export type ReasonCode = keyof typeof reasons;

/** A `failed` envelope's codes, and whether the attempt or the input was the problem. */
export const insightErrors = {
  insights_timeout: true,
  insights_model_error: true,
  insights_output_invalid: true,
  insights_input_too_large: false,
  insights_ledger_exhausted: true,
  insights_internal: true,
  // As other clients know it, without our prefix.
  cancelled: true,
} as const;
export type InsightErrorCode = keyof typeof insightErrors;

interface Standing {
  reasonCode: ReasonCode | null;
  /** When the findings were last computed, and when anything here last changed. */
  generatedAt: number | null;
  updatedAt: number | null;
}

export type InsightsState =
  | (Standing & { status: Exclude<InsightsEnvelope["status"], "failed"> })
  | (Standing & { status: "failed"; error: { code: InsightErrorCode; message: string } });

/** Nothing was looked at yet. */
export function noAnalysis(unit: Unit, total: number): Analysis {
  return {
    summary: null,
    coverage: { unit, analyzed: 0, total, truncated: false, lowConfidence: true },
    findings: [],
    truncation: { truncated: false, omittedFindings: 0, omittedEvidence: 0, contractTruncated: false },
  };
}

/** As much of it as one answer holds. */
export function analysisOf(mined: Mined): Analysis {
  const findings = mined.findings.slice(0, limits.insights.findings);
  const omittedFindings = mined.findings.length - findings.length;
  const { omittedEvidence, isContractTruncated: contractTruncated, isOverflowing } = mined;
  const truncated = omittedFindings > 0 || omittedEvidence > 0 || contractTruncated || isOverflowing;
  return {
    summary: mined.summary,
    coverage: mined.coverage,
    findings,
    truncation: { truncated, omittedFindings, omittedEvidence, contractTruncated },
  };
}

/** Findings that are there already stay while more is asked for. */
export function envelopeOf(
  scope: InsightScope,
  state: InsightsState,
  analysis: Analysis,
  runHealth?: InsightsEnvelope["runHealth"],
): InsightsEnvelope {
  const error = state.status === "failed" ? state.error : null;
  const { reasonCode, status, generatedAt, updatedAt } = state;
  const isRetryable = reasonCode === null ? status !== "pending" : reasons[reasonCode];
  return {
    schemaVersion: 1,
    scope,
    status,
    reasonCode,
    retryable: error ? insightErrors[error.code] && isRetryable : isRetryable,
    error,
    generatedAt,
    updatedAt,
    ...analysis,
    ...(runHealth && { runHealth }),
  };
}
