/** @module Counts what a run's rubric showed. A broken grader is counted apart: it says nothing of the session. */

import type { RunScorecard } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import { calibrationOf } from "./calibrations/calibrations.ts";
import * as store from "./store.ts";

export async function readScorecard(app: App, run: store.RunRow): Promise<RunScorecard> {
  const frozen = await store.readFrozen(app.db, run.id);
  if (!frozen || frozen.rubric.length === 0) {
    throw missing(
      "The run has no rubric, and so no scorecard.",
      "Add a rubric to the journey, and run it again.",
      { code: "NO_RUBRIC" },
    );
  }
  const attempts = await store.listAttempts(app.db, [run.id]);
  const gradings = attempts.flatMap(({ grading }) => grading ?? []);
  const graded = gradings.filter(({ status }) => status === "completed");
  const pendingCount = gradings.filter(({ status }) => status === "pending").length;
  const broken = gradings.filter(({ status }) => status === "failed").length;
  return {
    runId: run.id,
    criteria: frozen.rubric.map(({ id, label, predicate }) => {
      const given = graded.flatMap(({ criteria }) => criteria.filter((one) => one.id === id));
      const passCount = given.filter(({ passed }) => passed === true).length;
      return {
        id,
        label: label ?? null,
        kind: String(predicate.type),
        passCount,
        failCount: given.filter(({ passed }) => passed === false).length,
        pendingCount,
        failedGradingCount: broken + given.filter(({ passed }) => passed === null).length,
        passRate: graded.length === 0 ? null : passCount / graded.length,
      };
    }),
    sessionsTotal: run.sessionsTotal,
    sessionsGraded: graded.length,
    personaDriver: run.personaDriver,
    calibration: await calibrationOf(
      app.db,
      run.projectId,
      run.personaDriver,
      frozen.places.map(({ model }) => model),
    ),
  };
}
