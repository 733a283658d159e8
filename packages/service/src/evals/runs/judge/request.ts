/** @module Asks for a run to be graded. Once is enough: what is graded or under way is not paid for again unless somebody insists. */

import { limits } from "@fettle/contract/core";
import type { EvalRunJudgeRequest } from "@fettle/contract/evals";
import { ruleModelId } from "@fettle/evals";
import type { App } from "../../../core/app.ts";
import type { ProjectContext } from "../../../core/routing/bind.ts";
import { notFound } from "../../../core/routing/not-found.ts";
import { refused } from "../../../environments/targets/refuse.ts";
import { openModel } from "../../../models/open-model.ts";
import { lockRun } from "../../../runs/life/store.ts";
import { findSuite } from "../../suites/store.ts";
import { countGradeable } from "../iteration-store.ts";
import { evalRunKind } from "../kind.ts";
import * as store from "../store.ts";
import { beginJudging, type JudgeSettings } from "./judge-run.ts";

export async function requestJudge(
  app: App,
  project: Pick<ProjectContext, "id" | "organizationId">,
  run: store.RunRow,
  asked: EvalRunJudgeRequest,
) {
  const { organizationId } = project;
  const settings = await settingsFor(app, run, asked);
  if (settings.model.trim() !== ruleModelId) {
    const source = { kind: "judge", id: run.id };
    await openModel(app, { organizationId, projectId: project.id, name: settings.model, source });
    const count = await countGradeable(app.db, run.id);
    const most = limits.evals.judge.iterations;
    if (count > most) {
      const message = `The run has ${count} repetitions; a model grades at most ${most}.`;
      throw refused("VALIDATION_ERROR", "TOO_MANY_TURNS", message, {
        limit: most,
        hint: `Let the rules grade it: model ${ruleModelId}.`,
      });
    }
  }
  await app.db.transaction(async (tx) => {
    const held = await lockRun(tx, evalRunKind, run.id);
    if (!held) throw notFound("evalRun");
    if (store.isOpen(held)) {
      throw refused("CONFLICT", "RUN_IN_PROGRESS", "The run has not ended: there is nothing to grade yet.");
    }
    const status = held.judges.goalCompletion?.status ?? null;
    if (status === "pending") return;
    if (status === "completed" && asked.force !== true) throw refused("CONFLICT", "JUDGE_ALREADY_GRADED");
    await beginJudging(app, tx, held, organizationId, settings);
  });
  return { runId: run.id, projectId: run.projectId, status: "pending" as const };
}

/** As the run was launched with, or as the suite is set now where that had none; what is asked for goes before both. */
async function settingsFor(
  app: App,
  run: store.RunRow,
  { enable, model, threshold }: EvalRunJudgeRequest,
): Promise<JudgeSettings> {
  const launched = (await store.readFrozen(app.db, run.id))?.judge;
  if (launched?.enabled !== true && enable !== true) throw refused("CONFLICT", "JUDGE_NOT_ENABLED");
  const suite = await findSuite(app.db, run.projectId, run.suiteId);
  const judge = launched?.enabled === true ? launched : (suite?.settings.judge ?? launched);
  return {
    // Without a model the rules grade, and say so.
    model: model ?? judge?.model ?? ruleModelId,
    threshold: threshold ?? judge?.threshold ?? limits.evals.judge.threshold,
  };
}
