/** @module What a launch is expected to cost, and the money that is set aside for it while the organization has a daily limit. */
import type { EvalRunId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { estimateSpend, type Model, type PlannedCalls, type SpendEstimate } from "@fettle/evals";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import type { HoldForLaunch } from "../../models/budget.ts";
import { sourceOf } from "../../runs/life/life.ts";
import type { FrozenRun, SuiteRow } from "./frozen.ts";
import { type PlannedIteration, usualUsage } from "./iteration-store.ts";
import { evalRunKind } from "./kind.ts";

/** What a plan says of a model, as far as it bears on what a launch costs. */
export type KnownModel = Pick<Model, "id" | "provider" | "modelClass" | "deterministic" | "notice" | "price">;
export type KnownModels = ReadonlyMap<string, KnownModel>;

/** A launch as it would be now. */
export interface LaunchPlan {
  frozen: FrozenRun;
  models: KnownModels;
  plan: PlannedIteration[];
  collapsed: boolean;
}

export const promptsOf = ({ cases }: FrozenRun, caseKey: string) =>
  cases.find(({ item }) => item.id === caseKey)?.item.steps.filter(({ kind }) => kind === "prompt").length ??
  0;

export async function costOf(
  db: Querier,
  suite: Pick<SuiteRow, "id">,
  { frozen, models, plan }: Pick<LaunchPlan, "frozen" | "models" | "plan">,
): Promise<SpendEstimate> {
  const byModel = [...Map.groupBy(plan, ({ model }) => model)];
  const planned = byModel.map(async ([name, repetitions]): Promise<PlannedCalls> => {
    const known = must(models.get(name), "each model of the plan");
    const price =
      known.modelClass === "rules" ? { inputPerMTok: 0, outputPerMTok: 0 } : (known.price ?? undefined);
    // Of earlier repetitions it is known what each took in all; before the first, only how often the model is spoken to.
    const usual = await usualUsage(db, suite.id, name);
    const turns = repetitions.reduce((sum, { caseKey }) => sum + promptsOf(frozen, caseKey), 0);
    return {
      calls: usual ? repetitions.length : turns,
      ...(usual && { usual }),
      ...(price && { price }),
    };
  });
  return estimateSpend(await Promise.all(planned));
}

/** A run that may be made, and what it would cost. */
export interface Priced {
  runId: EvalRunId;
  cost: Pick<SpendEstimate, "costUsd" | "confidence">;
}

/** Last in a launch. What is not priced is not in the sum. */
export const holdForRun = (hold: HoldForLaunch, tx: Transaction, { runId, cost }: Priced) =>
  hold(tx, sourceOf(evalRunKind, { id: runId }), cost.confidence === "partly unpriced" ? null : cost.costUsd);
