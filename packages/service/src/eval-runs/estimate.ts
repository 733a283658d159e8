/** @module What a launch would do and cost. It is refused for whatever the launch would be refused for. */
import type { EvalRunEstimate } from "@fettle/contract";
import { estimateSpend, type PlannedCalls } from "@fettle/evals";
import { usualUsage } from "./iteration-store.ts";
import { type Launcher, planLaunch, promptsOf, type Wanted } from "./launch.ts";

export async function estimateRun(launcher: Launcher, wanted: Wanted): Promise<EvalRunEstimate> {
  const { frozen, models, plan, collapsed } = await planLaunch(launcher, wanted);
  const byModel = [...Map.groupBy(plan, ({ model }) => model)];
  const planned = await Promise.all(
    byModel.map(async ([name, repetitions]): Promise<PlannedCalls> => {
      const known = models.get(name)!;
      const price =
        known.modelClass === "rules" ? { inputPerMTok: 0, outputPerMTok: 0 } : (known.price ?? undefined);
      // Of earlier repetitions it is known what each took in all; before the first, only how often the model is spoken to.
      const usual = await usualUsage(launcher.app.db, wanted.suite.id, name);
      const turns = repetitions.reduce((sum, { caseKey }) => sum + promptsOf(frozen, caseKey), 0);
      return {
        calls: usual ? repetitions.length : turns,
        ...(usual && { usual }),
        ...(price && { price }),
      };
    }),
  );
  const { costUsd, confidence } = estimateSpend(planned);
  const { kind, id, name, servers } = frozen.target;
  return {
    target: { kind, id, name, servers },
    cases: frozen.cases.length,
    repetitions: plan.length,
    models: byModel.map(([model, repetitions]) => {
      const { id: modelId, modelClass, notice } = models.get(model)!;
      return { id: modelId, modelClass, repetitions: repetitions.length, notice: notice ?? null };
    }),
    costUsd,
    confidence,
    repetitionsCollapsed: collapsed,
  };
}
