/** @module From a model's name to a model that may be called on behalf of an organization. */
import type { OrganizationId, ProjectId } from "@fettle/contract";
import { type Model, ModelError, ruleModelId } from "@fettle/evals";
import type { App } from "../app.ts";
import { unknownModel } from "./failure.ts";

/** What the calls are made for: what spend is told by. */
export interface SpendSource {
  /** Such as `evalRun`, `chat` or `judge`. */
  kind: string;
  id: string;
}

export interface ModelWanted {
  organizationId: OrganizationId;
  projectId: ProjectId | null;
  /** As people write it: `anthropic/claude-haiku-4.5`, `fettle/rules-1`. */
  name: string;
  source: SpendSource;
  /** Keys by provider (`openai`, `custom:vllm`) that whoever launches brings along. They are kept in this call's memory alone. */
  oneTimeKeys?: Record<string, string>;
}

/**
 * A model that may be called: keys found (of the launch, the organization, the operator), its calls counted and held to the
 * organization's daily limit. Throws 400 with `{model, provider, hostedModels}` for one that cannot be had. Nothing is called yet.
 *
 * @example
 * const model = await openModel(app, { organizationId, projectId, name: "fettle/rules-1", source: { kind: "evalRun", id: runId } });
 */
export async function openModel(app: App, wanted: ModelWanted): Promise<Model> {
  const { name } = wanted;
  const source = app.models.source(app.config.models, () => false);
  try {
    return source.open(name);
  } catch (error) {
    if (error instanceof ModelError) throw unknownModel(error, name, [ruleModelId]);
    throw error;
  }
}
