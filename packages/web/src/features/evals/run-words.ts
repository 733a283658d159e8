/** @module Eval runs in words: what each status, verdict and state is called, and what it means for whoever reads it. */
import { isKeyOf } from "@fettle/contract/core";
import {
  type EvalIteration,
  type EvalRun,
  type EvalRunGate,
  type EvalRunSource,
  type EvalStopReason,
  type RepetitionState,
  repetitionLetters,
} from "@fettle/contract/evals";
import { dollars } from "../../lib/amounts.ts";
import type { Tone } from "../../ui/chip.tsx";

export interface Word {
  tone: Tone;
  word: string;
}

type Stage = Pick<EvalRun, "status" | "result">;

export function isOpen({ status }: Pick<EvalRun, "status">): boolean {
  return status === "pending" || status === "running";
}

/** One word for how a run stands: while it goes on its status, afterwards what it showed. */
export function runWord({ status, result }: Stage): Word {
  switch (status) {
    case "pending":
      return { tone: "info", word: "Waiting" };
    case "running":
      return { tone: "info", word: "Running" };
    case "cancelled":
      return { tone: "neutral", word: "Cancelled" };
    case "timed_out":
      return { tone: "warn", word: "Timed out" };
    case "failed":
      return { tone: "warn", word: "Broke off" };
    case "completed":
      return resultWord(result);
  }
}

function resultWord(result: EvalRun["result"]): Word {
  if (result === "passed") return { tone: "good", word: "Passed" };
  return result === "failed" ? { tone: "bad", word: "Failed" } : { tone: "warn", word: "Inconclusive" };
}

const stops: Record<EvalStopReason, string> = {
  user_cancelled: "Somebody canceled it.",
  run_timeout: "It took longer than a run may.",
  iteration_timeout: "A repetition took longer than it may.",
  stale_worker: "The worker that played it went silent.",
  setup_failed: "It could not be set up.",
  spend_limit: "The organization's daily limit of spending was met.",
  internal_error: "Something in the service broke.",
};

/** The verdict in a sentence, or why there is none. */
export function verdictWords(run: EvalRun): string {
  const { summary, passCriteria, result, stopReason, error, reasons } = run;
  if (isOpen(run)) {
    const { settled, total, failed } = run.progress;
    const bad = failed > 0 ? `, ${failed} of them failed` : "";
    return run.status === "pending"
      ? "It waits for a worker."
      : `${settled} of ${total} repetitions are done${bad}.`;
  }
  const why = [error ?? (stopReason ? stops[stopReason] : undefined), ...reasons.map(reasonWords)].filter(
    (each) => each !== undefined,
  );
  if (run.status !== "completed" || result === "inconclusive" || !summary) {
    return why.length > 0 ? why.join(" ") : "It ended without a verdict: nothing was shown either way.";
  }
  const asked = passCriteria.minimumPassRate;
  const must = asked === 100 ? "all must" : `${asked} % must`;
  return `${summary.passed} of ${summary.total} repetitions passed; ${must}.`;
}

/** Why a run shows nothing, as the engine names it. */
const lacks: Record<string, string> = {
  noGradeableTrials: "No repetition came to a result.",
  configuredTrialsNotAttempted: "Not every repetition was begun.",
  eligibleTrialsBelowMinimum: "Fewer repetitions came to a result than the suite asks for.",
  completionRateBelowMinimum: "Too many repetitions were lost on the way.",
  completionRateNotMeasured: "No repetition was begun.",
  evaluatorErrorRateAboveMaximum: "Too many repetitions could not be judged.",
  evaluatorErrorRateNotMeasured: "No repetition was judged.",
  caseHasNoEligibleTrials: "A case has no result at all.",
};

export function reasonWords(reason: string): string {
  return lacks[reason] ?? sentence(reason);
}

/** A remark of the engine, as a sentence. Names of tools and code keep their case. */
export function sentence(text: string): string {
  const begun = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

const sources: Record<EvalRunSource, string> = {
  ui: "these pages",
  api: "the API",
  sdk: "an SDK",
  schedule: "its schedule",
  check: "a pull request",
};

export function originWords({ source, launcher }: Pick<EvalRun, "source" | "launcher">): string {
  if (launcher?.kind === "cli") return "the command line";
  if (launcher?.kind === "github_action") return "a GitHub action";
  return sources[source];
}

export const gateWords: Record<EvalRunGate["status"], Word> = {
  passed: { tone: "good", word: "Gate passes" },
  failed: { tone: "bad", word: "Gate fails" },
  waived: { tone: "warn", word: "Waived" },
  incomplete: { tone: "neutral", word: "No decision" },
};

export const repetitionWords: Record<RepetitionState, Word> = {
  passed: { tone: "good", word: "Passed" },
  failed: { tone: "bad", word: "Failed" },
  lost: { tone: "warn", word: "No verdict" },
  running: { tone: "info", word: "Running" },
  waiting: { tone: "neutral", word: "Waiting" },
};

export function stateOfLetter(letter: string): RepetitionState {
  // A letter of a newer service shows nothing to this page.
  return isKeyOf(repetitionLetters, letter) ? repetitionLetters[letter] : "lost";
}

export function stateOfIteration({ result, status }: EvalIteration): RepetitionState {
  if (result !== null) return result;
  return status === "pending" ? "waiting" : status === "running" ? "running" : "lost";
}

/** Unknown is never nothing, and the rules cost nothing. */
export function costWords({ costUsd, modelClass }: Pick<EvalRun, "costUsd" | "modelClass">): string | null {
  if (modelClass === "rules") return "Free";
  return costUsd === null ? null : dollars(costUsd);
}
