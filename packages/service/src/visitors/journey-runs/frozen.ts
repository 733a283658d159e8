/** @module What a run was launched with, whole and unchanging: whom it plays, what for, where, by what it is graded, and what it may spend. */
import type { ModelClass } from "@fettle/contract/evals";
import type { Journey, PersonaDriver } from "@fettle/contract/visitors";
import type { PersonaCard } from "@fettle/evals";
import type { FrozenTarget } from "../../environments/targets/target.ts";

/** One place that visitors come to. */
export interface FrozenPlace {
  target: FrozenTarget & { id: string; kind: "environment" | "host" };
  model: string;
  modelClass: ModelClass;
  driver: PersonaDriver;
}

export interface FrozenJourney extends Pick<Journey, "goal" | "sessionsPerTarget" | "maxTurns" | "rubric"> {
  version: 1;
  persona: PersonaCard;
  places: FrozenPlace[];
  judge: { model: string | null; threshold: number } | null;
  /** What was estimated: nothing is spent beyond it. Null: a price is unknown. */
  spendLimitUsd: number | null;
}

export const revisionOf = ({ target }: FrozenPlace): number | null =>
  target.environment?.resolved.environment.revision ?? null;

/** The client that is played there. */
export const hostOf = ({ target }: FrozenPlace): { hostId: string; hostName: string } => {
  const { hostId = target.id, hostName = target.name } = target.environment?.resolved ?? {};
  return { hostId, hostName };
};

/** As whoever reads sessions from elsewhere knows them. */
export function sessionIdOf(runId: string, { target }: FrozenPlace, index: number): string {
  const place = target.kind === "environment" ? `env_${target.id}` : target.id;
  return `synth_${runId}_${place}_${index}`;
}

/** The same persona in every place, by rules in all of them or by a model in some. */
export const driverOf = (places: readonly FrozenPlace[]): PersonaDriver =>
  places.some(({ driver }) => driver === "model") ? "model" : "rules";
