/** @module Two runs of a journey side by side, and why they may be no one experiment. Pure. */
import { isSameJson } from "@fettle/contract/formats";
import type { JourneyRunDetail, RunScorecard } from "@fettle/contract/visitors";
import { dollars, percent } from "../../lib/amounts.ts";
import { goalRate } from "./run-words.ts";

type Setup = Pick<
  JourneyRunDetail,
  "goal" | "persona" | "rubric" | "judge" | "maxTurns" | "sessionsPerTarget" | "targetSummaries"
>;

/** Each reason a part of a sentence; empty where the two differ in nothing but when they were made. */
export function differences(base: Setup, now: Setup): string[] {
  const of = (pick: (setup: Setup) => unknown, words: string) =>
    isSameJson(pick(base), pick(now)) ? [] : [words];
  const targets = ({ targetSummaries }: Setup) => targetSummaries.map(({ targetId }) => targetId).toSorted();
  const shared = new Set(targets(base)).intersection(new Set(targets(now)));
  const on = (pick: (target: Setup["targetSummaries"][number]) => unknown) => (setup: Setup) =>
    setup.targetSummaries
      .filter(({ targetId }) => shared.has(targetId))
      .toSorted((a, b) => a.targetId.localeCompare(b.targetId))
      .map(pick);
  return [
    ...of(({ goal }) => goal, "the goal was worded differently"),
    ...of(({ persona }) => [persona.id, persona.name, persona.role], "another persona tried it"),
    ...of(targets, "they were tried on other targets"),
    ...of(
      on(({ environmentRevision }) => environmentRevision),
      "an environment was changed between them",
    ),
    ...of(
      on(({ model }) => model),
      "another model answered",
    ),
    ...of(
      on(({ personaDriver }) => personaDriver),
      "something else played the visitor",
    ),
    ...of(
      ({ rubric }) => rubric.map(({ id, predicate }) => [id, predicate]),
      "they were held to other checks",
    ),
    ...of(({ judge }) => judge, "the goal was judged differently"),
    ...of(({ maxTurns }) => maxTurns, "sessions could have another number of turns"),
    ...of(
      ({ sessionsPerTarget }) => sessionsPerTarget,
      "there was another number of sessions on each target",
    ),
  ];
}

export interface ComparedCheck {
  id: string;
  label: string | null;
  kind: string;
  /** Null: nothing was graded. Undefined: it was not in that run. */
  base: number | null | undefined;
  now: number | null | undefined;
}

export function comparedChecks(
  base: RunScorecard | undefined,
  now: RunScorecard | undefined,
): ComparedCheck[] {
  const all = new Map(
    [...(base?.criteria ?? []), ...(now?.criteria ?? [])].map((criterion) => [criterion.id, criterion]),
  );
  const rateOf = (card: RunScorecard | undefined, id: string) =>
    card?.criteria.find((criterion) => criterion.id === id)?.passRate;
  return [...all.values()].map(({ id, label, kind }) => ({
    id,
    label,
    kind,
    base: rateOf(base, id),
    now: rateOf(now, id),
  }));
}

/** From the earlier to the later, in points of a hundred; null where one of the two is not known. */
export function points(base: number | null | undefined, now: number | null | undefined): number | null {
  return base == null || now == null ? null : Math.round((now - base) * 1000) / 10;
}

export interface ComparedNumber {
  name: string;
  base: string | null;
  now: string | null;
}

export function comparedNumbers(base: JourneyRunDetail, now: JourneyRunDetail): ComparedNumber[] {
  const number = (name: string, say: (run: JourneyRunDetail) => string | null) => ({
    name,
    base: say(base),
    now: say(now),
  });
  const mean =
    (pick: (attempt: JourneyRunDetail["attempts"][number]) => number | null) => (run: JourneyRunDetail) => {
      const known = run.attempts.flatMap((attempt) => pick(attempt) ?? []);
      return known.length === 0 ? null : (known.reduce((sum, one) => sum + one, 0) / known.length).toFixed(1);
    };
  return [
    number("Goal reached", (run) => {
      const rate = goalRate(run);
      return rate === null ? null : percent(rate);
    }),
    number("Sessions done", ({ counts, sessionsTotal }) => `${counts.succeeded} of ${sessionsTotal}`),
    number(
      "Turns of a session",
      mean(({ turns }) => turns),
    ),
    number(
      "Calls of a session",
      mean(({ toolCalls }) => toolCalls),
    ),
    number(
      "Failed calls of a session",
      mean(({ toolErrors }) => toolErrors),
    ),
    number("Tokens", ({ totalTokens }) => (totalTokens === null ? null : totalTokens.toLocaleString("en"))),
    number("Cost", ({ costUsd }) => (costUsd === null ? null : costUsd === 0 ? "Free" : dollars(costUsd))),
  ];
}
