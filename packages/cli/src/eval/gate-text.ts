/** @module A gate's decision and two runs side by side, for eyes. */
import type { CaseStatus } from "@fettle/contract/evals";
import type { CaseComparison, GateReport, GateRow } from "@fettle/evals";
import { table } from "../output/table.ts";
import { lines, style, type Text, text } from "../output/text.ts";

const words: Record<CaseStatus, Text> = {
  regressed: style.red("regressed"),
  fixed: style.green("fixed"),
  changed: style.yellow("changed"),
  new_case: style.yellow("new"),
  removed_case: style.yellow("removed"),
  unchanged_failed: style.red("still fails"),
  unchanged_passed: style.dim("still passes"),
};

const marks: Record<GateRow["status"], Text> = {
  passed: style.green("✓"),
  failed: style.red("✗"),
  non_gateable: style.yellow("–"),
  usage_error: style.red("✗"),
  waived: style.yellow("–"),
};

const columns = [
  { header: "CASE" },
  { header: "TITLE", shrinks: true },
  { header: "BEFORE" },
  { header: "AFTER" },
  { header: "WHY", shrinks: true },
];

interface Compared {
  cases: readonly Pick<CaseComparison, "status" | "title" | "base" | "compare">[];
  execution: { changed: readonly string[] };
}

/** A line for each case, and what else the runs differ in. */
export function comparedText({ cases, execution: { changed } }: Compared, width: number): Text[] {
  const rows = cases.map(({ status, title, base, compare }) => [
    words[status],
    title,
    `${base.passed}/${base.eligible}`,
    `${compare.passed}/${compare.eligible}`,
    compare.error ?? "",
  ]);
  return [
    ...(rows.length > 0 ? [lines([table(columns, rows, width), ""])] : []),
    ...(changed.length > 0 ? [lines([text`${style.dim("Also different:")} ${changed.join(", ")}`, ""])] : []),
  ];
}

export function verdictText(verdicts: readonly GateRow[]): Text[] {
  return verdicts.map(({ status, gate, message }) => text`${marks[status]} ${style.bold(gate)} ${message}`);
}

export const outcomeText: Record<GateReport["outcome"], Text> = {
  passed: text`${style.green("✓")} The gate passed.`,
  waived: text`${style.yellow("–")} The gate failed, and is waived.`,
  failed: text`${style.red("✗")} The gate failed.`,
  incomplete: text`${style.yellow("–")} The gate has no verdict.`,
  usage_error: text`${style.red("✗")} The gate cannot be asked this.`,
};
