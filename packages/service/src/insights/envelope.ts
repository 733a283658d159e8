/** @module The envelope of a scope as it is answered. Reading one never starts anything. */
import type { InsightScope, InsightsEnvelope } from "@fettle/contract/insights";
import {
  envelopeOf,
  type InsightErrorCode,
  type InsightsState,
  insightErrors,
  noAnalysis,
  type ReasonCode,
} from "@fettle/insights";
import type { App } from "../core/app.ts";
import { sourceOf } from "./source.ts";
import { findInsights, type InsightsRow, isOutdated } from "./store.ts";

export interface EnvelopeWanted {
  scope: InsightScope;
  /** Conversations there are, and why nothing is said of them where nobody has asked. */
  total: number;
  unasked: Extract<ReasonCode, "not_requested" | "run_not_terminal" | "window_not_analyzed">;
}

export async function readEnvelope(app: App, wanted: EnvelopeWanted): Promise<InsightsEnvelope> {
  const { scope, total, unasked } = wanted;
  const blank = noAnalysis(sourceOf(app, scope.kind).unit, total);
  const never = { generatedAt: null, updatedAt: null };
  if (app.config.insights.when === "off") {
    return envelopeOf(scope, { status: "not_available", reasonCode: "feature_disabled", ...never }, blank);
  }
  const row = await findInsights(app.db, scope);
  if (!row) return envelopeOf(scope, { status: "not_requested", reasonCode: unasked, ...never }, blank);
  return envelopeOf(row.scope, stateOf(row), row.analysis ?? blank);
}

/** What is pending and has nobody left who makes it has failed. */
function stateOf(row: InsightsRow & { isAtWork: boolean }): InsightsState {
  const { reasonCode, status } = row;
  const times = { generatedAt: row.generatedAt?.getTime() ?? null, updatedAt: row.updatedAt.getTime() };
  if (status === "pending" && !row.isAtWork) {
    const message = "Whatever looked for problems has stopped for good.";
    return { status: "failed", reasonCode: null, error: { code: "insights_internal", message }, ...times };
  }
  if (status === "completed" && isOutdated(row)) return { status, reasonCode: "superseded", ...times };
  if (status !== "failed") return { status, reasonCode, ...times };
  const { code = "", message = "" } = row.error ?? {};
  return {
    status,
    reasonCode,
    error: { code: isCode(code) ? code : "insights_internal", message },
    ...times,
  };
}

const isCode = (code: string): code is InsightErrorCode => Object.hasOwn(insightErrors, code);
