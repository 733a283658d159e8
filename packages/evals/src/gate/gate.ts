/** @module Decides whether a run passes a gate: usage, then whether there is anything to judge, then thresholds, comparisons, and a waiver last. */
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import { reasonsInWords } from "../grading/verdict.ts";
import { counted } from "../told.ts";
import { comparativeRows } from "./comparative-rows.ts";
import { type Comparison, compareRuns, isEligible, p95Of, totalTokensOf } from "./compare.ts";
import { type GateRow, type GateStatus, measured, row, runIntegrity } from "./gate-row.ts";
import { type GatePolicy, isEmptyPolicy, policyFaults } from "./policy.ts";
import { hollowWord, type RunFacts } from "./run-facts.ts";

export type GateOutcome = "passed" | "failed" | "incomplete" | "usage_error" | "waived";

export interface Waiver {
  active: boolean;
  revokedAt: number | null;
  expiresAt: number;
  reason: string;
}

export interface GateInput {
  run: RunFacts;
  policy: GatePolicy;
  /** `null`: one was asked for and could not be read. */
  baseline?: RunFacts | null;
  /** As whoever keeps both runs tells it; else made of the two. */
  comparison?: Comparison;
  waiver?: Waiver | null;
  now?: number;
}

export interface GateReport {
  outcome: GateOutcome;
  verdicts: GateRow[];
  scoreIntegrity: "valid" | "invalid" | "unknown";
  waiver?: Waiver;
  comparison?: Comparison;
}

/** No infrastructure condition is ever 1; a caller may try again on 3. */
export const gateExitCode: Record<GateOutcome, ExitCode> = {
  passed: exitCodes.ok,
  waived: exitCodes.ok,
  failed: exitCodes.failed,
  usage_error: exitCodes.usage,
  incomplete: exitCodes.incomplete,
};

export function decideGate(input: GateInput): GateReport {
  const { run, policy, baseline, waiver, now = 0 } = input;
  const kept = { scoreIntegrity: runIntegrity(run), ...(waiver && { waiver }) };
  const faults = policyFaults(policy, run, baseline);
  if (baseline === undefined && isEmptyPolicy(policy))
    faults.push("The policy asks for nothing, so nothing can pass it.");
  if (faults.length > 0) {
    return {
      ...kept,
      outcome: "usage_error",
      verdicts: faults.map((message) => row("usage", "usage_error", message)),
    };
  }
  const blocked = notJudgeable(run, baseline);
  if (blocked) return { ...kept, outcome: "incomplete", verdicts: [blocked] };

  const comparison = baseline ? (input.comparison ?? compareRuns(baseline, run)) : undefined;
  const verdicts = [
    ...thresholdRows(run, policy),
    ...(baseline && comparison ? comparativeRows(baseline, run, policy, comparison) : []),
  ];
  const outcome = merged(verdicts);
  const told = { ...kept, ...(comparison && { comparison }) };
  // Only a real failure is waived: what showed nothing stays without a verdict.
  if (outcome === "failed" && waiver && isInForce(waiver, now)) {
    return { ...told, outcome: "waived", verdicts: [row("waiver", "waived", waiver.reason), ...verdicts] };
  }
  return { ...told, outcome, verdicts };
}

function isInForce({ active, revokedAt, expiresAt }: Waiver, now: number): boolean {
  return active && revokedAt === null && now < expiresAt;
}

/** Whether the cases may count comes before what became of them; a partial summary never gates. */
function notJudgeable(run: RunFacts, baseline: RunFacts | null | undefined): GateRow | undefined {
  if (!isImportComplete(run))
    return row("importEligibility", "non_gateable", "Imported cases of the run may not count.");
  if (run.status !== "completed")
    return row("run", "non_gateable", `The run did not come to its end: ${run.status}.`);
  if (run.result === null || run.result === "inconclusive") {
    return row("run", "non_gateable", `The run shows nothing: ${reasonsInWords(run.reasons)}.`);
  }
  for (const [which, { provesNothing = [] }] of [
    ["run", run] as const,
    ...(baseline ? [["baseline", baseline] as const] : []),
  ]) {
    const [reason] = provesNothing;
    if (reason)
      return row(
        which,
        "non_gateable",
        `The ${which} proves nothing about the server: ${hollowWord[reason]}.`,
      );
  }
  if (baseline === undefined) return undefined;
  if (baseline === null) return row("baseline", "non_gateable", "The baseline cannot be read.");
  if (baseline.status !== "completed" || baseline.result === null || baseline.result === "inconclusive") {
    return row("baseline", "non_gateable", "The baseline has no verdict of its own.");
  }
  if (!isImportComplete(baseline)) {
    return row("importEligibility", "non_gateable", "Imported cases of the baseline may not count.");
  }
  return undefined;
}

function isImportComplete({ importEligibility }: RunFacts): boolean {
  return !importEligibility || (importEligibility.status !== "incomplete" && importEligibility.gateable);
}

/** failed > incomplete > passed; every row is kept. */
function merged(rows: readonly GateRow[]): GateOutcome {
  const has = (status: GateStatus) => rows.some((one) => one.status === status);
  if (has("failed")) return "failed";
  return has("non_gateable") || rows.length === 0 ? "incomplete" : "passed";
}

const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;

function thresholdRows(run: RunFacts, policy: GatePolicy): GateRow[] {
  const rows: GateRow[] = [];
  const eligible = run.cases.flatMap(({ iterations }) => iterations).filter(isEligible);
  const { minimumPassRate, maximumTotalTokens, maximumP95LatencyMs } = policy;
  if (policy.runMustPass) {
    const isPassed = run.result === "passed";
    rows.push(row("result", isPassed ? "passed" : "failed", `The run ${isPassed ? "passed" : "failed"}.`));
  }
  if (minimumPassRate !== undefined) {
    const rate =
      eligible.length === 0
        ? null
        : eligible.filter(({ result }) => result === "passed").length / eligible.length;
    const said = `${rate === null ? "" : percent(rate)} of ${counted(eligible.length, "repetition")} passed; at least ${percent(minimumPassRate)} must.`;
    rows.push(
      measured(
        "minimumPassRate",
        rate,
        minimumPassRate,
        (rate ?? 0) >= minimumPassRate,
        said,
        "Nothing was eligible.",
      ),
    );
  }
  if (maximumTotalTokens !== undefined) {
    const tokens = totalTokensOf(run);
    const said = `${counted(tokens ?? 0, "token")}; at most ${maximumTotalTokens} are allowed.`;
    rows.push(
      measured(
        "maximumTotalTokens",
        tokens,
        maximumTotalTokens,
        (tokens ?? 0) <= maximumTotalTokens,
        said,
        "Not every repetition has a token count.",
      ),
    );
  }
  if (maximumP95LatencyMs !== undefined) {
    const p95 = p95Of(run);
    const said = `p95 is ${Math.round(p95 ?? 0)} ms; at most ${maximumP95LatencyMs} ms is allowed.`;
    rows.push(
      measured(
        "maximumP95LatencyMs",
        p95,
        maximumP95LatencyMs,
        (p95 ?? 0) <= maximumP95LatencyMs,
        said,
        "Not every repetition was timed.",
      ),
    );
  }
  rows.push(...scorerRows(run, policy));
  for (const id of policy.caseMustPass ?? []) {
    const verdict = run.cases.find(({ caseKey }) => caseKey === id)?.verdict;
    const gate = `caseMustPass:${id}`;
    if (verdict === undefined || verdict === "inconclusive") {
      rows.push(
        row(gate, "non_gateable", verdict ? "The case is inconclusive." : "The run has no such case."),
      );
    } else rows.push(row(gate, verdict, `The case ${verdict}.`));
  }
  return rows;
}

function scorerRows(run: RunFacts, policy: GatePolicy): GateRow[] {
  const asked = [
    ...(policy.noGatingScoreErrors ? ["noGatingScoreErrors"] : []),
    ...Object.keys(policy.minimumScorerPassRate ?? {}).map((id) => `minimumScorerPassRate:${id}`),
    ...Object.keys(policy.minimumMeanScore ?? {}).map((id) => `minimumMeanScore:${id}`),
  ];
  if (asked.length === 0) return [];
  const integrity = runIntegrity(run);
  if (integrity !== "valid") {
    const why =
      integrity === "unknown" ? "The run has no scores." : "The run's scores do not fit their definitions.";
    return asked.map((gate) => row(gate, "non_gateable", why));
  }
  const rows = run.cases.flatMap(({ definitions, iterations }) =>
    iterations.filter(isEligible).flatMap(({ scores }) =>
      scores.map((score) => ({
        ...score,
        gating: definitions.find(({ scorerId }) => scorerId === score.scorerId)?.role === "gating",
      })),
    ),
  );
  const result: GateRow[] = [];
  if (policy.noGatingScoreErrors) {
    const errors = rows.filter(({ gating, status }) => gating && status === "error").length;
    result.push(
      row("noGatingScoreErrors", errors === 0 ? "passed" : "failed", `${errors} scorer errors.`, {
        observed: errors,
        threshold: 0,
      }),
    );
  }
  for (const [id, minimum] of Object.entries(policy.minimumScorerPassRate ?? {})) {
    const countable = rows.filter(({ scorerId, status }) => scorerId === id && status !== "not_applicable");
    const rate =
      countable.length === 0
        ? null
        : countable.filter(({ passed }) => passed === true).length / countable.length;
    const said = `${percent(rate ?? 0)} of ${countable.length} passed; at least ${percent(minimum)} must.`;
    result.push(
      measured(
        `minimumScorerPassRate:${id}`,
        rate,
        minimum,
        (rate ?? 0) >= minimum,
        said,
        "It applied nowhere.",
      ),
    );
  }
  for (const [id, minimum] of Object.entries(policy.minimumMeanScore ?? {})) {
    const values = rows.flatMap(({ scorerId, status, value }) =>
      scorerId === id && status === "scored" ? [value ?? 0] : [],
    );
    const mean = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
    const said = `The mean is ${(mean ?? 0).toFixed(3)}; at least ${minimum} is asked.`;
    result.push(
      measured(`minimumMeanScore:${id}`, mean, minimum, (mean ?? 0) >= minimum, said, "It scored nowhere."),
    );
  }
  return result;
}
