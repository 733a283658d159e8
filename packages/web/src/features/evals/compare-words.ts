/** @module Two runs side by side, in words: what became of each case, and why they may not be comparable. */
import type { CaseStatus, EvalRunCompare } from "@fettle/contract/evals";
import { dollars, percent, took } from "../../lib/amounts.ts";
import type { Word } from "./run-words.ts";

type ComparedCase = EvalRunCompare["cases"][number];

const caseWords: Record<CaseStatus, Word> = {
  regressed: { tone: "bad", word: "Regressed" },
  fixed: { tone: "good", word: "Fixed" },
  changed: { tone: "info", word: "Changed" },
  new_case: { tone: "info", word: "New" },
  removed_case: { tone: "neutral", word: "Gone" },
  unchanged_failed: { tone: "warn", word: "Still fails" },
  unchanged_passed: { tone: "neutral", word: "Still passes" },
};

/** What showed nothing did not fail. */
const fails = ({ outcome, eligible }: ComparedCase["base"]) => outcome === "failed" && eligible > 0;
const isNewFailure = ({ status, compare }: ComparedCase) => status === "new_case" && fails(compare);

export function changeWord(one: ComparedCase): Word {
  return isNewFailure(one) ? { tone: "bad", word: "New, fails" } : caseWords[one.status];
}

const order = Object.keys(caseWords);

/** The worst news first, as the service names them; what fails from its first run on is such news. */
export function inOrder(cases: readonly ComparedCase[]): ComparedCase[] {
  const place = (one: ComparedCase) => order.indexOf(isNewFailure(one) ? "regressed" : one.status);
  return cases.toSorted((a, b) => place(a) - place(b));
}

/** Whether it got worse: by what the cases came to, whatever else became of them. */
export function headline({ cases }: Pick<EvalRunCompare, "cases">): {
  kind: "bad" | "warn" | "good";
  words: string;
} {
  if (cases.some(({ base, compare }) => base.outcome === "passed" && fails(compare))) {
    return { kind: "bad", words: "Something got worse." };
  }
  const added = cases.filter(isNewFailure).length;
  if (added > 0) {
    const which = added === 1 ? "a new case fails" : `${added} new cases fail`;
    return { kind: "bad", words: `What was there before did not get worse, but ${which}.` };
  }
  if (cases.some(({ compare }) => compare.outcome === "failed" && compare.eligible === 0)) {
    return { kind: "warn", words: "Nothing is known to have got worse: a case came to no result." };
  }
  return { kind: "good", words: "Nothing got worse." };
}

export function sideWords({ outcome, passed, eligible }: ComparedCase["base"]): string {
  if (outcome === "absent") return "not in it";
  return `${passed} of ${eligible} passed`;
}

/** The whole in one sentence. */
export function summaryWords({ cases }: EvalRunCompare): string {
  const count = (status: CaseStatus) => cases.filter((each) => each.status === status).length;
  const said = (["regressed", "fixed", "changed", "new_case", "removed_case"] as const)
    .map((status) => [count(status), caseWords[status].word.toLowerCase()] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`);
  return said.length === 0 ? "No case came out differently." : `${said.join(", ")}.`;
}

/** Why a verdict about the whole would prove nothing, each reason a part of a sentence; empty where it would. */
export function differences({
  compatibility,
  execution,
}: Pick<EvalRunCompare, "compatibility" | "execution">): string[] {
  const { incompatibleCases, modelClassChanged } = compatibility;
  const counted = Object.entries(incompatible).flatMap(([reason, words]) => {
    const number = incompatibleCases.filter(({ reasons }) => reasons.includes(reason)).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? "case" : "cases"} ${words}`];
  });
  return [
    ...counted,
    ...(modelClassChanged ? ["another kind of model answered"] : []),
    ...(execution.changed.length > 0 ? [`they were made with another ${execution.changed.join(", ")}`] : []),
  ];
}

/** By the engine's word for it. */
const incompatible: Record<string, string> = {
  case_added: "only in the later run",
  case_removed: "only in the earlier run",
  scenario_config_changed: "with other steps or expectations",
  evaluation_config_changed: "judged by other checks",
  iteration_weighting_unequal: "with another number of repetitions",
};

type Diff = EvalRunCompare["metrics"]["totalTokens"];

export interface Metric {
  name: string;
  base: string | null;
  compare: string | null;
  /** With its sign; null where one of the two is not known. */
  delta: string | null;
}

/** A difference of two percentages is no percentage. */
const points = (value: number) => `${Number(value.toFixed(1))} ${value === 1 ? "point" : "points"}`;

export function metricsOf({ passSummary, metrics }: EvalRunCompare): Metric[] {
  const metric = (
    name: string,
    { base, compare, delta }: Diff,
    say: (value: number) => string,
    sayDelta = say,
  ): Metric => ({
    name,
    base: base === null ? null : say(base),
    compare: compare === null ? null : say(compare),
    delta: delta === null ? null : `${delta > 0 ? "+" : delta < 0 ? "−" : "±"}${sayDelta(Math.abs(delta))}`,
  });
  const count = (value: number) => value.toLocaleString("en");
  return [
    metric("Pass rate", passSummary.passRatePercent, (value) => percent(value / 100), points),
    metric("Repetitions passed", passSummary.passed, count),
    metric("Time in all", metrics.wallDurationMs, took),
    metric("Slow repetitions (95 % are faster)", metrics.p95LatencyMs, took),
    metric("Tokens", metrics.totalTokens, count),
    metric("Cost", metrics.estimatedCostUsd, dollars),
  ];
}
