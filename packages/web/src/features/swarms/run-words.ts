/** @module Journey runs in words: what each state is called, what stopped a target, and what a launch may cost. Pure. */
import { groupBy } from "@fettle/contract/formats";
import type {
  AttemptState,
  JourneyRun,
  JourneyRunDetail,
  JourneyRunEstimate,
  JourneyRunSession,
} from "@fettle/contract/visitors";
import { dollars } from "../../lib/amounts.ts";
import type { Tone } from "../../ui/chip.tsx";

export interface Word {
  tone: Tone;
  word: string;
}

export const isRunning = ({ status }: Pick<JourneyRun, "status">): boolean => status === "running";

export const runWords: Record<JourneyRun["displayStatus"], Word> = {
  running: { tone: "info", word: "Running" },
  completed: { tone: "good", word: "Completed" },
  partial: { tone: "warn", word: "Partly done" },
  rate_limited: { tone: "warn", word: "Rate limited" },
  failed: { tone: "bad", word: "Failed" },
  canceled: { tone: "neutral", word: "Cancelled" },
};

export const sessionWords: Record<AttemptState, Word> = {
  pending: { tone: "neutral", word: "Waiting" },
  running: { tone: "info", word: "Running" },
  succeeded: { tone: "good", word: "Done" },
  failed: { tone: "bad", word: "Failed" },
  rate_limited: { tone: "warn", word: "Rate limited" },
};

export const driverWords: Record<JourneyRunDetail["targetSummaries"][number]["personaDriver"], string> = {
  rules: "fixed rules play the visitor",
  model: "a model plays the visitor",
};

const endWords: Record<NonNullable<JourneyRunSession["end"]>, string> = {
  persona: "the visitor ended it",
  turns: "its turns were used up",
  stopped: "something broke it off",
};

export const endWord = ({ end }: Pick<JourneyRunSession, "end">): string | null =>
  end === null ? null : endWords[end];

/** What the service writes as a session's or a run's error, by its first word. */
const stops = new Map(
  Object.entries({
    rate_limited: "The model's provider let no more through, so nobody else came to this target.",
    spend_cap_exceeded: "The money for the run was used up, so nobody else came anywhere.",
    runner_shutdown: "The run was canceled before it began.",
    session_aborted: "The run was canceled while this session was in progress.",
    worker_lost: "Five processes stopped unexpectedly during this session, so it was given up.",
    stale_runner: "What played it fell silent, and it was given up.",
    canceled: "Somebody canceled it.",
  }),
);

/**
 * What a stored reason means.
 *
 * @example
 * stopWords("spend_cap_exceeded: 3 of 3 dollars") // "The money for the run was used up, …"
 */
export function stopWords(error: string): string {
  const [code = "", ...rest] = error.split(":");
  const stop = stops.get(code);
  if (stop === undefined) return error;
  const said = rest.join(":").trim();
  return said === "" ? stop : `${stop} It was told: ${said}`;
}

export interface Stopped {
  target: string;
  /** What happened, and to how many sessions. */
  reasons: readonly { words: string; count: number }[];
}

/** What kept sessions of each target from their end; targets without any are left out. */
export function stopped({ attempts }: Pick<JourneyRunDetail, "attempts">): Stopped[] {
  const broken = attempts.filter(({ error }) => error !== null);
  return [...groupBy(broken, ({ targetId }) => targetId).values()].map((own) => {
    const byWords = Map.groupBy(own, ({ error }) => stopWords(error ?? ""));
    return {
      target: own[0].targetName,
      reasons: [...byWords].map(([words, those]) => ({ words, count: those.length })),
    };
  });
}

/** Graded ones of all that could be; null where nothing was graded, which is not none. */
export function goalRate({ goalCompletion }: Pick<JourneyRun, "goalCompletion">): number | null {
  if (!goalCompletion || goalCompletion.gradedCount === 0) return null;
  return goalCompletion.passedCount / goalCompletion.gradedCount;
}

export function goalText({ goalCompletion }: Pick<JourneyRun, "goalCompletion">): string {
  if (!goalCompletion) return "Nobody judges whether the goal was reached";
  const { gradedCount, passedCount, pendingCount, failedCount } = goalCompletion;
  const more = [
    ...(pendingCount > 0 ? [`${pendingCount} not judged yet`] : []),
    ...(failedCount > 0 ? [`${failedCount} could not be judged`] : []),
  ];
  const reached =
    gradedCount === 0 ? "No session was judged" : `${passedCount} of ${gradedCount} reached the goal`;
  return [reached, ...more].join(", ");
}

type Priced = Pick<JourneyRunEstimate, "costUsd" | "modelCalls">;

/** Nothing is asked of a model that costs; or at most so much; or nobody knows. */
export function costWord({ costUsd, modelCalls }: Priced): string {
  if (modelCalls === 0) return "Free";
  return costUsd === null ? "No price known" : `At most ${dollars(costUsd)}`;
}

/** Several launches as one: a price that is not known makes the sum unknown. */
export function summed(
  estimates: readonly JourneyRunEstimate[],
): Pick<JourneyRunEstimate, "sessions" | "modelCalls" | "costUsd"> {
  const total = (of: (estimate: JourneyRunEstimate) => number) =>
    estimates.reduce((sum, estimate) => sum + of(estimate), 0);
  return {
    sessions: total(({ sessions }) => sessions),
    modelCalls: total(({ modelCalls }) => modelCalls),
    costUsd: estimates.some(({ costUsd }) => costUsd === null) ? null : total(({ costUsd }) => costUsd ?? 0),
  };
}

export const many = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;
