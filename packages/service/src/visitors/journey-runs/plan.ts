/** @module A launch as it would be now: who, where, with which models, and what it costs at most. Everything that can be refused is refused here. */
import type { EnvironmentId, OrganizationId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { JourneyRunEstimate } from "@fettle/contract/visitors";
import { defaultAgentLimits, estimateSpend, type Model, type PlannedCalls } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { openModel } from "../../models/open-model.ts";
import type { JourneyRow } from "../swarms/shared-sql.ts";
import type { FrozenPlace } from "./frozen.ts";
import { refuse, resolvePlaces } from "./places.ts";

type KnownModel = Pick<Model, "id" | "modelClass" | "price">;
export type KnownModels = ReadonlyMap<string, KnownModel>;

/** Asked once for the bad answer of a model, too. */
const judgeCalls = 2;

export async function openModels(
  app: App,
  { id, projectId, judge }: JourneyRow,
  organizationId: OrganizationId,
  targets: readonly FrozenPlace["target"][],
): Promise<KnownModels> {
  const names = new Set([...targets.map(modelOf), ...(judge?.model ? [judge.model] : [])]);
  const known = new Map<string, KnownModel>();
  for (const name of names) {
    const source = { kind: "journeyRun", id };
    known.set(name, await openModel(app, { organizationId, projectId, name, source }));
  }
  return known;
}

export function modelOf({ model, name }: FrozenPlace["target"]): string {
  if (model) return model;
  throw refuse("UNKNOWN_MODEL", `Nothing says which model ${name} speaks with.`);
}

/** A visitor speaks by the same means as the assistant: with rules where that is rules, so that no key is needed at all. */
export function placeOf(target: FrozenPlace["target"], models: KnownModels): FrozenPlace | undefined {
  const model = modelOf(target);
  const known = models.get(model);
  if (!known) return undefined;
  const { modelClass } = known;
  return { target, model, modelClass, driver: modelClass === "rules" ? "rules" : "model" };
}

export function estimateOf(
  { sessionsPerTarget, maxTurns, judge }: JourneyRow,
  places: readonly FrozenPlace[],
  models: KnownModels,
): JourneyRunEstimate {
  const sessions = places.length * sessionsPerTarget;
  return {
    targets: places.map(({ target: { id, kind, name }, model, modelClass, driver }) => ({
      targetId: id,
      kind,
      name,
      model,
      modelClass,
      personaDriver: driver,
    })),
    sessions,
    ...spendOf([
      ...places.flatMap((place) => sessionCalls(place, models, { sessions: sessionsPerTarget, maxTurns })),
      ...(judge?.model
        ? paidCalls(must(models.get(judge.model), "the model of the judge"), sessions * judgeCalls)
        : []),
    ]),
  };
}

/** Of the assistant, and of the visitor where a model plays it. */
export function sessionCalls(
  { model, driver }: FrozenPlace,
  models: KnownModels,
  { sessions, maxTurns }: { sessions: number; maxTurns: number },
): PlannedCalls[] {
  const perTurn = defaultAgentLimits.steps + (driver === "model" ? 1 : 0);
  // Who leaves says so, too.
  return paidCalls(must(models.get(model), "the model of each place"), sessions * (maxTurns * perTurn + 1));
}

function paidCalls({ modelClass, price }: KnownModel, calls: number): PlannedCalls[] {
  return modelClass === "rules" ? [] : [{ calls, ...(price && { price }) }];
}

/** Null: a price is unknown. */
export function spendOf(planned: readonly PlannedCalls[]): { modelCalls: number; costUsd: number | null } {
  const { calls, costUsd, confidence } = estimateSpend(planned);
  const isPriced = confidence !== "unavailable" && confidence !== "partly unpriced";
  return { modelCalls: calls, costUsd: planned.length === 0 ? 0 : isPriced ? costUsd : null };
}

export async function estimateRun(
  app: App,
  organizationId: OrganizationId,
  journey: JourneyRow,
  wanted?: readonly EnvironmentId[],
): Promise<JourneyRunEstimate> {
  const { places, models } = await planRun(app, organizationId, journey, wanted);
  return estimateOf(journey, places, models);
}

export async function planRun(
  app: App,
  organizationId: OrganizationId,
  journey: JourneyRow,
  wanted: readonly EnvironmentId[] | undefined,
) {
  const targets = await app.db.transaction((tx) => resolvePlaces(tx, journey, wanted));
  const models = await openModels(app, journey, organizationId, targets);
  return { models, places: targets.flatMap((target) => placeOf(target, models) ?? []) };
}
