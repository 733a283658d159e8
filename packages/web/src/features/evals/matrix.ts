/** @module A run's repetitions by case, as they are read: what failed first, then what shows nothing, then the rest. */
import type { EvalRun, EvalRunMatrix, RepetitionState } from "@fettle/contract/evals";
import { stateOfLetter } from "./run-words.ts";

export interface CaseRow {
  /** Unique in the run: a case may be asked of several models. */
  key: string;
  caseKey: string;
  title: string;
  model: string | null;
  cells: readonly RepetitionState[];
  /** The gravest of its repetitions. */
  state: RepetitionState;
}

/** One repetition: a case, a model, and its number from 1 on. */
export interface Place {
  caseKey: string;
  model: string | null;
  number: number;
}

const gravity: readonly RepetitionState[] = ["failed", "lost", "running", "waiting", "passed"];

/**
 * @example
 * caseRows(matrix).map(({ title }) => title) // the failed ones first
 */
export function caseRows({ rows }: EvalRunMatrix): CaseRow[] {
  return rows
    .map((row) => {
      const cells = [...row.cells].map(stateOfLetter);
      const state = gravity.find((each) => cells.includes(each)) ?? "waiting";
      return { ...row, key: `${row.caseKey} ${row.model}`, cells, state };
    })
    .toSorted((a, b) => gravity.indexOf(a.state) - gravity.indexOf(b.state));
}

export function countCases(rows: readonly CaseRow[]): Record<RepetitionState, number> {
  const counts = { passed: 0, failed: 0, lost: 0, running: 0, waiting: 0 };
  for (const { state } of rows) counts[state] += 1;
  return counts;
}

/** Counted from the cells that are shown: what is said above them was read at another moment, and a live run goes on between the two. */
export function progressOf(rows: readonly CaseRow[]): EvalRun["progress"] {
  const cells = rows.flatMap((row) => row.cells);
  const count = (...states: RepetitionState[]) => cells.filter((cell) => states.includes(cell)).length;
  return {
    total: cells.length,
    settled: count("passed", "failed", "lost"),
    passed: count("passed"),
    failed: count("failed"),
  };
}

/** The repetition to look at first: the first that is as grave as its case. */
export function firstPlace(row: CaseRow): Place {
  const { caseKey, model, cells, state } = row;
  return { caseKey, model, number: Math.max(0, cells.indexOf(state)) + 1 };
}

/** As it stands in an address: `c_orders.2`, with the model where there are several. */
export function placeText({ caseKey, model, number }: Place, rows: readonly CaseRow[]): string {
  const several = rows.filter((row) => row.caseKey === caseKey).length > 1;
  return `${caseKey}.${number}${several ? `.${model}` : ""}`;
}

export function readPlace(text: string, rows: readonly CaseRow[]): Place | undefined {
  const [, caseKey, number, model] = /^(.+?)\.(\d+)(?:\.(.+))?$/.exec(text) ?? [];
  const row = rows.find((each) => each.caseKey === caseKey && (model === undefined || each.model === model));
  if (!row || number === undefined || !row.cells[Number(number) - 1]) return undefined;
  return { caseKey: row.caseKey, model: row.model, number: Number(number) };
}
