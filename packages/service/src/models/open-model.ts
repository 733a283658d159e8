/** @module From a model's name to a model that may be called on behalf of an organization. */
import { type Model, ModelError, ruleModel, ruleModelId } from "@fettle/evals";
import type { App } from "../app.ts";
import { hostedModels } from "./catalog.ts";
import { type EffectiveModels, effectiveModels } from "./effective.ts";
import { unknownModel } from "./failure.ts";
import { type Payer, paidCall } from "./ledger.ts";
import { listProviders } from "./store.ts";

export interface ModelWanted extends Payer {
  /** As people write it: `anthropic/claude-haiku-4.5`, `fettle/rules-1`. */
  name: string;
  /** Keys by provider (`openai`, `custom:vllm`) that whoever launches brings along. They stay in this process's memory. */
  oneTimeKeys?: Record<string, string>;
}

/**
 * A model that may be called: its key found (of the launch, else the organization's, else the operator's), its calls held to the
 * organization's daily limit and written down. Throws 400 with `{model, provider, hostedModels}` for one that cannot be had.
 * Nothing is called yet. Keys are looked up anew for every call, so that one which is removed is not used again.
 *
 * @example
 * const model = await openModel(app, { organizationId, projectId, name: "fettle/rules-1", source: { kind: "evalRun", id: runId } });
 */
export async function openModel(app: App, wanted: ModelWanted): Promise<Model> {
  const { name, organizationId, oneTimeKeys } = wanted;
  if (name.trim() === ruleModelId) return ruleModel();
  const find = async () => {
    const rows = await listProviders(app.db, organizationId);
    const effective = effectiveModels(app.config.models, rows, app.vault, oneTimeKeys);
    return { rows, ...effective };
  };
  const open = ({ configuration, isTyped }: EffectiveModels) =>
    app.models.source(configuration, isTyped).open(name);
  const found = await find();
  const { generate: _, ...facts } = orRefuse(
    () => open(found),
    (error) => unknownModel(error, name, hostedModels(found.configuration, found.rows)),
  );
  return {
    ...facts,
    generate: async (request, context) => paidCall(app, wanted, open(await find()), request, context),
  };
}

function orRefuse<T>(work: () => T, refusal: (error: ModelError) => Error): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ModelError ? refusal(error) : error;
  }
}
