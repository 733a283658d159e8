import { type ActionableFinding, InsightsEnvelope } from "@fettle/contract/insights";
import { expect, test } from "vitest";
import { envelopeOf, type InsightsState, noAnalysis } from "./envelope.ts";
import { trendOf } from "./trend.ts";

const scope = { kind: "eval_run", id: "er_1" } as const;
const when = { generatedAt: null, updatedAt: 5 };
const failed = (
  code: "insights_internal" | "insights_input_too_large",
  reasonCode: InsightsState["reasonCode"] = null,
) => ({ ...when, status: "failed", reasonCode, error: { code, message: "No." } }) as const;

test.each<[state: InsightsState, retryable: boolean]>([
  [{ ...when, status: "not_available", reasonCode: "feature_disabled" }, false],
  [{ ...when, status: "not_requested", reasonCode: "not_requested" }, true],
  [{ ...when, status: "pending", reasonCode: null }, false],
  [{ ...when, status: "completed", reasonCode: "deterministic_only" }, false],
  [{ ...when, status: "completed", reasonCode: "model_failed_fallback" }, true],
  [failed("insights_internal"), true],
  [failed("insights_input_too_large"), false],
  [failed("insights_internal", "nothing_to_analyze"), false],
])("%j: asking again could change it: %s", (state, retryable) => {
  const envelope = envelopeOf(scope, state, noAnalysis("iterations", 3));
  expect(InsightsEnvelope.parse(envelope)).toEqual(envelope);
  expect(envelope).toMatchObject({ status: state.status, reasonCode: state.reasonCode, retryable });
  expect(envelope.error).toEqual(state.status === "failed" ? state.error : null);
});

test("a finding over time: where nobody could have met it is a gap, and no zero", () => {
  const found = (count: number) => ({
    findings: [{ id: "rf_1", affected: { count, total: 10, unit: "sessions" } } as ActionableFinding],
  });
  const points = trendOf("rf_1", [
    { scopeId: "b", at: 2, analysis: { findings: [] }, exercised: 4 },
    { scopeId: "c", at: 3, analysis: { findings: [] } },
    { scopeId: "a", at: 1, analysis: found(5) },
  ]);
  expect(points.map(({ scopeId, count, total, share }) => [scopeId, count, total, share])).toEqual([
    ["a", 5, 10, 0.5],
    ["b", 0, 4, 0],
    ["c", 0, null, null],
  ]);
});
