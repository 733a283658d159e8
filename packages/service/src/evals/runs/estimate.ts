/** @module What a launch would do and cost. It is refused for whatever the launch would be refused for. */
import { type EvalRunEstimate, whoseModel } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import { dayLeft } from "../../models/budget.ts";
import { type Launcher, planLaunch, sourceOfModel, type Wanted } from "./launch.ts";
import { costOf } from "./launch-cost.ts";

export async function estimateRun(launcher: Launcher, wanted: Wanted): Promise<EvalRunEstimate> {
  const { frozen, models, plan, collapsed } = await planLaunch(launcher, wanted);
  const byModel = [...Map.groupBy(plan, ({ model }) => model)];
  const { costUsd, confidence } = await costOf(launcher.app.db, wanted.suite, { frozen, models, plan });
  const { kind, id, name, servers } = frozen.target;
  return {
    target: { kind, id, name, servers },
    cases: frozen.cases.length,
    repetitions: plan.length,
    models: byModel.map(([model, repetitions]) => {
      const { id: modelId, modelClass, notice } = must(models.get(model), "each model of the plan");
      return { id: modelId, modelClass, repetitions: repetitions.length, notice: notice ?? null };
    }),
    modelFrom: whoseModel({ modelSource: sourceOfModel(frozen, wanted.knobs), target: frozen.target }),
    costUsd,
    confidence,
    repetitionsCollapsed: collapsed,
    day: await dayLeft(launcher.app, launcher.project.organizationId),
  };
}
