/** @module A run beside an earlier one: which it is compared with, and what differs, case by case. */

import { type EvalIterationId, type EvalRunId, limits } from "@fettle/contract/core";
import type { EvalRunCompare } from "@fettle/contract/evals";
import { operations } from "@fettle/contract/operations";
import {
  type CaseComparison,
  compareRuns,
  finalTextOf,
  integrityOf,
  numberDiff,
  type RunFacts,
  type Trace,
} from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { toldOf } from "../../core/routing/where-listed.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { readFacts } from "./facts.ts";
import { findTraces } from "./iteration-store.ts";
import * as store from "./store.ts";

export interface Asked {
  baseRunId?: EvalRunId | undefined;
  baseCommitSha?: string | undefined;
  previewChars?: number | undefined;
}

export async function compareRun(app: App, run: store.RunRow, asked: Asked): Promise<EvalRunCompare> {
  const { row: baseRun, baseline } = await findBaseline(app, run, asked);
  const [base, compare] = await Promise.all([readFacts(app.db, baseRun), readFacts(app.db, run)]);
  const { cases, suite, passSummary, metrics, execution, compatibility, evaluationConfigChanged } =
    compareRuns(base, compare);
  const previews = await readPreviews(app, cases, asked.previewChars);
  const withPreview = (side: CaseComparison["base"]) => ({
    ...side,
    ...(previews && { preview: previews.get(side.representativeIterationId ?? "") ?? null }),
  });
  return {
    suite,
    baseline,
    baseRun: sideOf(baseRun),
    compareRun: sideOf(run),
    passSummary,
    metrics,
    scoreContract: {
      base: contractOf(baseRun, base),
      compare: contractOf(run, compare),
      evaluationConfigChanged,
      scorers: scorersOf(base, compare, cases),
    },
    execution,
    compatibility,
    cases: cases.map((one) => ({ ...one, base: withPreview(one.base), compare: withPreview(one.compare) })),
  };
}

const otherRuns = toldOf(operations.listEvalRuns);

async function findBaseline(
  app: App,
  run: store.RunRow,
  { baseRunId, baseCommitSha }: Asked,
): Promise<{ row: store.RunRow; baseline: EvalRunCompare["baseline"] }> {
  if (baseRunId !== undefined) {
    const row = await store.findRun(app.db, run.projectId, baseRunId);
    if (!row || row.suiteId !== run.suiteId || row.id === run.id) {
      const message = "There is no other run of this suite with that id.";
      throw refused("NOT_FOUND", "BASELINE_NOT_FOUND", message, { baseRunId, ...otherRuns });
    }
    return { row, baseline: { policy: "run", baseRunId: row.id } };
  }
  if (baseCommitSha !== undefined) {
    const sha = await wholeSha(app, run, baseCommitSha);
    const rows = await store.listOfCommit(app.db, run, sha, mostMatches + 1);
    const [row] = rows;
    if (!row) {
      const message = `No finished run of this suite is of the commit ${baseCommitSha}.`;
      throw refused("NOT_FOUND", "BASELINE_NOT_FOUND", message, { baseCommitSha, ...otherRuns });
    }
    const count = Math.min(rows.length, mostMatches);
    return {
      row,
      baseline: {
        policy: "commit_sha",
        baseRunId: row.id,
        baseCommitSha,
        ...(count > 1 && { matchCount: count }),
        ...(rows.length > mostMatches && { matchCountTruncated: true }),
      },
    };
  }
  const row = await store.findPrevious(app.db, run);
  if (!row)
    throw refused("NOT_FOUND", "BASELINE_NOT_FOUND", "There is no earlier finished run of this suite.", {
      ...otherRuns,
    });
  return { row, baseline: { policy: "previous_completed", baseRunId: row.id } };
}

/** The beginning of a commit, at least as much of it as Git takes, stands for it where there is no other. */
async function wholeSha(app: App, run: store.RunRow, sha: string): Promise<string> {
  if (!/^[0-9a-f]{4,39}$/i.test(sha)) return sha;
  const commits = await store.listCommits(app.db, run, sha.toLowerCase(), mostCandidates);
  if (commits.length <= 1 || commits.includes(sha)) return commits.includes(sha) ? sha : (commits[0] ?? sha);
  const message = `Several commits begin with ${sha}: ${commits.join(", ")}.`;
  throw refused("VALIDATION_ERROR", "BASELINE_AMBIGUOUS", message, { baseCommitSha: sha, commits });
}

const mostCandidates = 10;

/** Above it a count is a floor. */
const mostMatches = limits.page.runs.max;

function sideOf(row: store.RunRow): EvalRunCompare["baseRun"] {
  return {
    id: row.id,
    runNumber: row.runNumber,
    result: row.result,
    createdAt: row.createdAt.getTime(),
    completedAt: row.completedAt?.getTime() ?? null,
    summary: row.summary,
  };
}

function contractOf(row: store.RunRow, { cases }: RunFacts): EvalRunCompare["scoreContract"]["base"] {
  const scored = cases.flatMap(({ definitions, iterations }) =>
    iterations.filter(({ result }) => result !== null).map(({ scores }) => ({ definitions, scores })),
  );
  return {
    evaluationConfigHash: row.evaluationConfigHash,
    scoreIntegrity: row.scoreIntegrity,
    scoredIterations: scored.length,
    quarantinedIterations:
      row.scoreIntegrity === "valid"
        ? 0
        : scored.filter(({ definitions, scores }) => integrityOf(definitions, scores) === "invalid").length,
  };
}

interface Tally {
  passed: number;
  countable: number;
  sum: number;
  scored: number;
  errors: number;
}

/** Each scorer over both whole runs. */
function scorersOf(
  base: RunFacts,
  compare: RunFacts,
  cases: readonly CaseComparison[],
): EvalRunCompare["scoreContract"]["scorers"] {
  const [before, after] = [talliesOf(base), talliesOf(compare)];
  const known = new Map(
    cases.flatMap(({ scoreDeltas }) => scoreDeltas).map((delta) => [delta.scorerId, delta]),
  );
  const changed = new Set(
    cases.flatMap(({ scoreDeltas }) =>
      scoreDeltas.flatMap(({ scorerId, definitionChanged }) => (definitionChanged ? [scorerId] : [])),
    ),
  );
  return [...known.values()].map(({ scorerId, label, gating, deterministic }) => {
    const [one, other] = [before.get(scorerId), after.get(scorerId)];
    const rate = (tally: Tally | undefined) =>
      tally && tally.countable > 0 ? tally.passed / tally.countable : null;
    const mean = (tally: Tally | undefined) => (tally && tally.scored > 0 ? tally.sum / tally.scored : null);
    return {
      scorerId,
      label,
      gating,
      deterministic,
      definitionChanged: changed.has(scorerId),
      passRate: numberDiff(rate(one), rate(other)),
      meanValue: numberDiff(mean(one), mean(other)),
      errorCount: { base: one?.errors ?? 0, compare: other?.errors ?? 0 },
    };
  });
}

function talliesOf({ cases }: RunFacts): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { iterations } of cases) {
    for (const { result, scores } of iterations) {
      if (result === null) continue;
      for (const { scorerId, status, value, passed } of scores) {
        const tally = tallies.get(scorerId) ?? { passed: 0, countable: 0, sum: 0, scored: 0, errors: 0 };
        tallies.set(scorerId, tally);
        if (status !== "not_applicable") tally.countable += 1;
        if (passed === true) tally.passed += 1;
        if (status === "error") tally.errors += 1;
        if (status === "scored") {
          tally.scored += 1;
          tally.sum += value ?? 0;
        }
      }
    }
  }
  return tallies;
}

/** Traces are large: previews are for what a reader opens first, and that comes first. */
const previewedCases = 25;

async function readPreviews(
  app: App,
  cases: readonly CaseComparison[],
  length: number | undefined,
): Promise<Map<string, string> | undefined> {
  if (!length) return undefined;
  const ids = cases
    .slice(0, previewedCases)
    .flatMap(({ base, compare }) => [base.representativeIterationId, compare.representativeIterationId])
    .filter((id) => id !== null);
  // They come from the iterations' own rows.
  const traces = await findTraces(app.db, ids as EvalIterationId[]);
  return new Map(
    traces.flatMap(({ iterationId, trace }) => {
      const text = finalTextOf((trace as Trace).messages);
      return text === undefined ? [] : [[iterationId, text.slice(0, length)] as const];
    }),
  );
}
