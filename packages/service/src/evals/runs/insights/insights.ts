/** @module Insights over a run: read with it, asked for, cancelled. */
import { ApiError, type UserId } from "@fettle/contract/core";
import type { InsightsEnvelope } from "@fettle/contract/insights";
import type { App } from "../../../core/app.ts";
import { cancelInsights, requestInsights } from "../../../insights/asking.ts";
import { readEnvelope } from "../../../insights/envelope.ts";
import { isOpen, type RunRow } from "../store.ts";
import { askedOf } from "./source.ts";

export function readRunInsights(app: App, run: RunRow): Promise<InsightsEnvelope> {
  return readEnvelope(app, {
    scope: { kind: "eval_run", id: run.id },
    total: run.planned,
    unasked: isOpen(run) ? "run_not_terminal" : "not_requested",
  });
}

export async function requestRunInsights(
  app: App,
  run: RunRow,
  asked: { by: UserId; force: boolean },
): Promise<{ runId: string; projectId: string; status: "pending" }> {
  if (isOpen(run)) {
    throw new ApiError("CONFLICT", "This run is still under way. Ask once it has ended.", {
      code: "RUN_NOT_TERMINAL",
    });
  }
  await requestInsights(app, await askedOf(app.db, run), asked);
  return { runId: run.id, projectId: run.projectId, status: "pending" };
}

export async function cancelRunInsights(app: App, run: RunRow): Promise<InsightsEnvelope> {
  if (!(await cancelInsights(app, await askedOf(app.db, run)))) {
    throw new ApiError("CONFLICT", "No insights of this run are being made.", { code: "NOTHING_PENDING" });
  }
  return readRunInsights(app, run);
}
