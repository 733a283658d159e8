/** @module A run as a report for machines: cases with a verdict each, and the facts that another run can be compared with. */

import type { IterationStatus } from "@fettle/contract/evals";
import { waitedFor } from "../agent/trace.ts";
import { sampleOf } from "../gate/compare.ts";
import { hollowWord } from "../gate/run-facts.ts";
import { detectableCount, type Interval, regressionDefaults } from "../grading/statistics.ts";
import { reasonsInWords } from "../grading/verdict.ts";
import type { JudgedCase, JudgedRun } from "../run/suite-record.ts";
import { counted } from "../told.ts";
import { failedAdvice } from "./advice.ts";

export interface EvalReportCase {
  id: string;
  title: string;
  category: string;
  passed: boolean;
  /** Neither passed nor failed: why nothing was shown. */
  skipped?: string;
  durationMs?: number;
  error?: string;
  details?: Record<string, unknown>;
}

export interface EvalReport {
  kind: "eval-run";
  cases: EvalReportCase[];
  durationMs: number;
  metadata: Record<string, unknown>;
}

export function evalReportOf(record: JudgedRun): EvalReport {
  const { facts, verdict, durationMs } = record;
  const cases = record.cases.map((item) => caseOf(facts.id, item));
  const isSaid = facts.result === "passed" || cases.some(({ passed }) => !passed);
  const why = reasonOf(record);
  return {
    kind: "eval-run",
    durationMs,
    cases: isSaid
      ? cases
      : [
          ...cases,
          {
            id: `${facts.id}:run`,
            title: "The run as a whole",
            category: "eval",
            passed: false,
            error: why,
            ...(facts.result !== "failed" && { skipped: why }),
          },
        ],
    metadata: {
      runs: [
        {
          id: facts.id,
          suiteId: facts.suite.id,
          status: facts.status,
          result: facts.result,
          summary: {
            total: verdict.total,
            passed: verdict.passed,
            failed: verdict.failed,
            passRate: verdict.passRate,
          },
          iterationsComplete: facts.status === "completed",
        },
      ],
      suite: facts.suite,
      models: record.models,
      modelClass: facts.modelClass,
      repetitionsCollapsed: record.repetitionsCollapsed,
      sensitivity: sensitivityOf(record),
      warnings: record.warnings,
      facts,
    },
  };
}

/** In words: how a run ended. */
export function reasonOf({ facts, verdict, cases }: JudgedRun): string {
  if (facts.status === "timed_out" && cases.some(isHeldUp))
    return "The provider of the model limited the rate until the time for the run was over.";
  if (facts.status === "timed_out")
    return "The time for the run was over before it was done; --timeout allows more.";
  if (facts.status !== "completed") return "The run was stopped before it was done.";
  const [hollow] = facts.provesNothing ?? [];
  if (hollow && facts.result === "inconclusive") return `Nothing is shown: ${hollowWord[hollow]}.`;
  if (verdict.result === "inconclusive") return `Nothing is shown: ${reasonsInWords(verdict.reasons)}.`;
  const failed = cases.filter((item) => item.facts.verdict === "failed").length;
  if (failed > 0) return `${failed} of ${counted(cases.length, "case")} failed.`;
  return verdict.result === "passed" ? "Every case passed." : "Fewer repetitions passed than were asked for.";
}

function isHeldUp({ iterations }: JudgedCase): boolean {
  return iterations.some(({ trace }) => trace && waitedFor(trace) !== undefined);
}

/** How a repetition without a result ended, before the words of why. */
export const lostWord: Partial<Record<IterationStatus, string>> = {
  cancelled: "stopped",
  completed: "could not be judged",
  failed: "lost",
  setup_failed: "could not begin",
  skipped: "not begun",
  timed_out: "out of time",
};

/** A share with what is left open: `51 % (17 to 80)`. */
export function shareText({ point, lower, upper }: Interval): string {
  const percent = (value: number) => Math.round(value * 100);
  return `${percent(point)} % (${percent(lower)} to ${percent(upper)})`;
}

/** How many passed of those that count; and how many of those asked for do not, for a rate of few must not look like one of many. */
export function passedOf({ passed, eligible, configured }: JudgedCase["summary"]): string {
  return `${passed}/${eligible}${lostWords(configured - eligible)}`;
}

/** Of a whole run. */
export function lostOf({ cases }: Pick<JudgedRun, "cases">): string {
  return lostWords(cases.reduce((sum, { summary }) => sum + summary.configured - summary.eligible, 0));
}

const lostWords = (lost: number) => (lost > 0 ? `, ${lost} lost` : "");

function caseOf(runId: string, recorded: JudgedCase): EvalReportCase {
  const { facts, summary, iterations } = recorded;
  const advice = failedAdvice([recorded]).map(({ label, failed, of, why }) => ({ label, failed, of, why }));
  const first = iterations.find((one) => one.facts.error !== undefined)?.facts;
  const count = `${summary.passed} of ${counted(summary.eligible, "repetition")} passed${lostWords(summary.configured - summary.eligible)}`;
  const why = first === undefined ? count : `${first.error}${summary.configured > 1 ? ` (${count})` : ""}`;
  const durations = iterations.flatMap((one) => one.facts.durationMs ?? []);
  return {
    id: `${runId}:${facts.caseKey}`,
    title: facts.title,
    category: "eval",
    passed: facts.verdict === "passed",
    durationMs: durations.reduce((sum, one) => sum + one, 0),
    ...(facts.verdict !== "passed" && { error: why }),
    ...(facts.verdict === "inconclusive" && { skipped: why }),
    details: {
      runId,
      caseKey: facts.caseKey,
      verdict: facts.verdict,
      passThreshold: facts.passThreshold,
      passRate: summary.passRate,
      interval: summary.interval,
      inARow: summary.inARow,
      ...(advice.length > 0 && { advice }),
      excluded: summary.excluded,
      iterations: iterations.map(({ facts: { id, iterationNumber, status, result, error } }) => ({
        id,
        iterationNumber,
        status,
        result,
        ...(error !== undefined && { error }),
      })),
    },
  };
}

export interface Sensitivity {
  /** What was counted: repetitions of a live model, cases of one that always does the same. */
  unit: "repetitions" | "cases";
  total: number;
  passed: number;
  /** The largest count a gate would call a regression from here; null when nothing could be noticed. */
  firstDetectable: number | null;
  message: string;
}

/** What a gate could notice against this run, so that nobody trusts one that is blind. */
export function sensitivityOf({ facts }: Pick<JudgedRun, "facts">): Sensitivity {
  const sample = sampleOf(facts);
  const unit = facts.modelClass === "live" ? "repetitions" : "cases";
  const first = detectableCount(sample, sample.total) ?? null;
  const message =
    first === null
      ? sample.total < regressionDefaults.minSampleSize
        ? `With ${counted(sample.total, unit.slice(0, -1))} a gate can notice nothing; it needs ${regressionDefaults.minSampleSize}.`
        : `From ${sample.passed}/${sample.total} no drop would show.`
      : `A gate against this run would first notice a drop to ${first}/${sample.total} ${unit}.`;
  return { unit, ...sample, firstDetectable: first, message };
}
