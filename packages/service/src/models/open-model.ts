/** @module From a model's name to a model that may be called on behalf of an organization. */
import { type Model, ModelError, ruleModel, ruleModelId } from "@fettle/evals";
import type { App } from "../core/app.ts";
import { effectiveCapUsd } from "./budget.ts";
import { hostedModels } from "./catalog.ts";
import { type EffectiveModels, effectiveModels } from "./effective.ts";
import { unknownModel } from "./failure.ts";
import { type Payer, paidCall } from "./ledger.ts";
import { tellingNothing } from "./own-faults.ts";
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
 * Nothing is called yet. Keys and the limit are looked up anew while it is used, so that a key which is removed is not used again:
 * at once where it was removed through this process, within a second elsewhere.
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
  const settings = freshly(
    async () => ({ model: open(await find()), cap: await effectiveCapUsd(app, organizationId) }),
    () => app.models.changesOf(organizationId),
  );
  return {
    ...facts,
    generate: (request, context) =>
      tellingNothing(app, async () => {
        const { model, cap } = await settings();
        return paidCall(app, wanted, model, cap, request, context);
      }),
  };
}

const freshMs = 1_000;

/** Reads once for whoever asks within a moment, unless there was a change. */
function freshly<T>(read: () => Promise<T>, changes: () => number): () => Promise<T> {
  let last: { value: Promise<T>; at: number; changes: number } | undefined;
  return () => {
    const now = performance.now();
    if (!last || last.changes !== changes() || now - last.at > freshMs) {
      const value = read();
      last = { value, at: now, changes: changes() };
      value.catch(() => {
        last = undefined;
      });
    }
    return last.value;
  };
}

function orRefuse<T>(work: () => T, refusal: (error: ModelError) => Error): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ModelError ? refusal(error) : error;
  }
}
