/** @module Findings over visitors: as the scenario's read carries them, of one window, asked for, cancelled, and what showed last. */

import { ApiError, type UserId } from "@fettle/contract/core";
import type { InsightsEnvelope } from "@fettle/contract/insights";
import type {
  ScenarioInsightsCanceled,
  ScenarioInsightsRequested,
  ScenarioSignals,
  ScenarioWindowInsights,
} from "@fettle/contract/visitors";
import type { App } from "../../../core/app.ts";
import type { ProjectContext } from "../../../core/routing/bind.ts";
import { missing } from "../../../core/routing/not-found.ts";
import { cancelInsights, requestInsights } from "../../../insights/asking.ts";
import { readEnvelope } from "../../../insights/envelope.ts";
import { findInsights } from "../../../insights/store.ts";
import type { ScenarioRow } from "../store.ts";
import { countBegun } from "../tallies.ts";
import * as store from "./window-store.ts";
import { askedOf, daysOf, freeze, isStale, scopeOf } from "./windows.ts";

/** Over the latest window that was looked at; before any was, of the days of now. */
export async function readScenarioInsights(app: App, scenario: ScenarioRow): Promise<InsightsEnvelope> {
  const { id } = scenario;
  const begunOf = await countBegun(app.db, [id]);
  const scope = (await store.findAskedScope(app.db, id)) ?? scopeOf(id, daysOf(app.now()));
  return readEnvelope(app, { scope, total: begunOf(id).real, unasked: "window_not_analyzed" });
}

async function requireWindow(app: App, scenario: ScenarioRow, windowId: string): Promise<store.WindowRow> {
  const found = await store.findWindow(app.db, scenario.projectId, windowId);
  if (found?.scenario.id === scenario.id) return found.window;
  throw missing(
    "There is no such window of this scenario, or nobody has asked about it.",
    "Asking for insights answers with the window's id.",
  );
}

export async function readWindowInsights(
  app: App,
  scenario: ScenarioRow,
  windowId: string,
): Promise<ScenarioWindowInsights> {
  const window = await requireWindow(app, scenario, windowId);
  const scope = scopeOf(scenario.id, window);
  const row = await findInsights(app.db, scope);
  if (!row || (row.status === "not_requested" && row.generatedAt === null)) {
    throw missing(
      "Nobody has asked for insights over this window.",
      "Ask for them; by rules alone that is free.",
      {
        code: "WINDOW_NOT_ANALYZED",
      },
    );
  }
  const { id: scenarioId, projectId } = scenario;
  const insights = await readEnvelope(app, {
    scope,
    total: window.sessionCount,
    unasked: "window_not_analyzed",
  });
  return { windowId, scenarioId, projectId, frozenAt: window.frozenAt.getTime(), insights };
}

/** Written down as the sessions are now; what came since the last asking needs no force. */
export async function requestWindowInsights(
  app: App,
  scenario: ScenarioRow,
  { by, force }: { by: UserId; force: boolean },
): Promise<ScenarioInsightsRequested> {
  const days = daysOf(app.now());
  const asked = await askedOf(app, scenario, days);
  await requestInsights(app, asked, {
    by,
    force,
    prepare: async (tx) => {
      const { isEmpty, isNew } = await freeze(app, tx, scenario, days);
      if (!isEmpty) return isNew;
      throw new ApiError("CONFLICT", "No visitor was here in the last seven days.", {
        code: "NO_SESSIONS",
        hint: "Hand the scenario's link to somebody. Tries of the project's own people are not looked at.",
      });
    },
  });
  const { id: scenarioId, projectId } = scenario;
  return { scenarioId, projectId, windowId: asked.scope.id, status: "pending" };
}

/** Said again, or of one that is complete, it changes nothing. */
export async function cancelWindowInsights(
  app: App,
  scenario: ScenarioRow,
  windowId: string,
): Promise<ScenarioInsightsCanceled> {
  const window = await requireWindow(app, scenario, windowId);
  const { id: scenarioId, projectId } = scenario;
  await cancelInsights(app, { scope: scopeOf(scenarioId, window), projectId });
  return { scenarioId, projectId, windowId, canceled: true };
}

export async function readSignals(
  app: App,
  { isWorkspaceMember }: Pick<ProjectContext, "isWorkspaceMember">,
  scenario: ScenarioRow,
): Promise<ScenarioSignals> {
  const found = await store.findAnalyzed(app.db, scenario.id);
  if (!found) {
    throw missing(
      "Nobody has looked for problems yet.",
      "Ask for insights; every night it is done by itself where somebody came.",
      { code: "WINDOW_NOT_ANALYZED" },
    );
  }
  const { window, analysis } = found;
  const { coverage } = analysis;
  const rows = await store.listSignals(app.db, scenario.projectId, window);
  const signals = rows.map(({ findings, ...row }) => ({ ...row, findingIds: Object.keys(findings).sort() }));
  const now = await store.readWatermarks(app.db, scenario.id, daysOf(app.now()));
  return {
    windowId: window.id,
    latestWindowId: window.id,
    windowStartAt: window.startAt.getTime(),
    windowEndAt: window.endAt.getTime(),
    latestSnapshotAt: window.frozenAt.getTime(),
    signals,
    candidates: signals,
    sessionCount: coverage.total,
    unanalyzedSessionCount: coverage.total - coverage.analyzed,
    feedbackCount: coverage.feedbackCount ?? 0,
    truncated: coverage.truncated,
    feedbackTruncated: coverage.truncated,
    lowConfidence: coverage.lowConfidence,
    dataStale: isStale(window, now),
    canRequest: isWorkspaceMember && app.config.insights.when !== "off",
    canDismiss: isWorkspaceMember,
  };
}
