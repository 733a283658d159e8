/** @module The findings over a scenario's latest window, as its read carries them. */
import { createHash } from "node:crypto";
import { type InsightsEnvelope, limits, type ScenarioId } from "@fettle/contract";
import type { App } from "../app.ts";
import type { ScenarioRow } from "./store.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Whole days (UTC), today among them, so that whoever asks on the same day means the same window. */
export function currentWindow(now: number): { windowStartAt: number; windowEndAt: number } {
  const windowEndAt = (Math.floor(now / dayMs) + 1) * dayMs;
  return { windowStartAt: windowEndAt - limits.userTesting.windowMs, windowEndAt };
}

export function windowId(
  scenarioId: ScenarioId,
  { windowStartAt, windowEndAt }: ReturnType<typeof currentWindow>,
): string {
  const hash = createHash("sha256").update(JSON.stringify([scenarioId, windowStartAt, windowEndAt]));
  return `uw_${hash.digest("hex").slice(0, 16)}`;
}

/** Nobody has asked yet. */
export async function readEnvelope(app: App, { id, sessionCount }: ScenarioRow): Promise<InsightsEnvelope> {
  const window = currentWindow(app.now());
  return {
    schemaVersion: 1,
    scope: { kind: "user_testing_window", id: windowId(id, window), scenarioId: id, ...window },
    status: "not_requested",
    reasonCode: null,
    retryable: true,
    error: null,
    generatedAt: null,
    updatedAt: null,
    summary: null,
    coverage: {
      unit: "sessions",
      analyzed: 0,
      total: sessionCount,
      truncated: false,
      lowConfidence: true,
    },
    findings: [],
    truncation: { truncated: false, omittedFindings: 0, omittedEvidence: 0, contractTruncated: false },
  };
}
