/** @module Personas, journeys and swarms as they are filled in, and what of them is sent: only what differs, and `null` for what is to be cleared. Pure. */
import { keysOf } from "@fettle/contract/core";
import { isSameJson } from "@fettle/contract/formats";
import type { Journey, Persona, RubricCriterion, Swarm } from "@fettle/contract/visitors";
import type { Json } from "../../lib/json-exact.ts";

export type PersonaValues = { name: string; role: string; notes: string };

export type SwarmValues = {
  name: string;
  description: string;
  environmentIds: readonly string[];
  sessionsPerTarget: number;
  maxTurns: number;
};

export type Judge = { model: string | null; threshold: number };

export type JourneyValues = {
  name: string;
  goal: string;
  environmentIds: readonly string[];
  hostIds: readonly string[];
  serverAttachmentId: string;
  sessionsPerTarget: number;
  maxTurns: number;
  rubric: readonly RubricCriterion[];
  judge: Judge | null;
};

export const emptyPersona = (): PersonaValues => ({ name: "", role: "", notes: "" });

export const emptySwarm = (): SwarmValues => ({
  name: "",
  description: "",
  environmentIds: [],
  sessionsPerTarget: 3,
  maxTurns: 6,
});

/** A new journey begins with what its swarm says, and with the two checks that fit every goal. */
export const emptyJourney = (swarm?: Swarm): JourneyValues => ({
  name: "",
  goal: "",
  environmentIds: swarm?.environmentIds ?? [],
  hostIds: [],
  serverAttachmentId: "",
  sessionsPerTarget: swarm?.sessionsPerTarget ?? 3,
  maxTurns: swarm?.maxTurns ?? 6,
  rubric: [
    { id: "no-tool-errors", label: "No call fails", predicate: { type: "noToolErrors" } },
    { id: "an-answer", label: "There is an answer", predicate: { type: "finalAssistantMessageNonEmpty" } },
  ],
  judge: { model: null, threshold: 0.7 },
});

export const personaValues = ({ name, role, notes }: Persona): PersonaValues => ({ name, role, notes });

export const swarmValues = (swarm: Swarm): SwarmValues => ({
  name: swarm.name,
  description: swarm.description ?? "",
  environmentIds: swarm.environmentIds,
  sessionsPerTarget: swarm.sessionsPerTarget,
  maxTurns: swarm.maxTurns,
});

export const journeyValues = (journey: Journey): JourneyValues => ({
  name: journey.name,
  goal: journey.goal,
  environmentIds: journey.environmentIds,
  hostIds: journey.hostIds ?? [],
  serverAttachmentId: journey.serverAttachmentId ?? "",
  sessionsPerTarget: journey.sessionsPerTarget,
  maxTurns: journey.maxTurns,
  rubric: journey.rubric,
  judge: journey.judge ?? null,
});

type Values = PersonaValues | SwarmValues | JourneyValues;

/** An empty list or choice would be refused, or say nothing: none is said by an explicit null. */
const clearable = new Set(["environmentIds", "hostIds", "serverAttachmentId", "description"]);

const sentValue = (name: string, value: unknown) => {
  const isNone = value === "" || (Array.isArray(value) && value.length === 0);
  return isNone && clearable.has(name) ? null : value;
};

/** Both or neither: what a wave costs is their product. */
const budget = ["sessionsPerTarget", "maxTurns"];

export function changesOf<V extends Values>(before: V, after: V): Partial<Record<keyof V, unknown>> {
  const names = keysOf(after);
  const differs = (name: string) => !isSameJson(fields(before)[name], fields(after)[name]);
  const isBudget = budget.some(differs);
  const sent = names.filter((name) => (budget.includes(name) ? isBudget : differs(name)));
  return Object.fromEntries(sent.map((name) => [name, sentValue(name, after[name])])) as Partial<
    Record<keyof V, unknown>
  >;
}

/** Without what is not said. */
export function createBody(values: Values): Record<string, unknown> {
  const said = Object.entries(values).filter(
    ([name, value]) => sentValue(name, value) !== null && !(name === "name" && value === ""),
  );
  return Object.fromEntries(said);
}

/** As what two people may disagree on. */
export const fields = (values: Values): Record<string, Json> =>
  // Texts, numbers, lists and objects of them.
  values as Record<string, Json>;

export const fieldLabels: Record<string, string> = {
  name: "Name",
  role: "Role",
  notes: "Notes",
  description: "Description",
  goal: "Goal",
  environmentIds: "Environments",
  hostIds: "Clients",
  serverAttachmentId: "Server group",
  sessionsPerTarget: "Sessions on each target",
  maxTurns: "Turns at most",
  rubric: "Rubric",
  judge: "Judge",
};
