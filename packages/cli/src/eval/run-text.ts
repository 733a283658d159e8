/** @module A run for eyes: every case in a line, why the red ones are red, and what the run can and cannot show. */
import {
  adviceText,
  failedAdvice,
  failingRows,
  failuresFirst,
  type JudgedCase,
  type JudgedRun,
  lostOf,
  lostWord,
  passedOf,
  reasonOf,
  sensitivityOf,
  shareText,
} from "@fettle/evals";
import type { View } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, type Text, text } from "../output/text.ts";

const marks = {
  passed: style.green("✓"),
  failed: style.red("✗"),
  inconclusive: style.yellow("–"),
} as const;

export function runText(record: JudgedRun, { width }: View): Text {
  const { facts, cases, verdict } = record;
  const ordered = failuresFirst(cases);
  const hasRows = cases.some(({ summary }) => summary.inARow !== null);
  const columns = [
    { header: "" },
    { header: "CASE", shrinks: true },
    { header: "PASSED" },
    { header: "RATE, 95 %" },
    ...(hasRows ? [{ header: "IN A ROW, 95 %" }] : []),
    { header: "TOOK", align: "right" as const },
  ];
  const rows = ordered.map(({ facts: item, summary, iterations }) => [
    marks[item.verdict],
    item.title,
    passedOf(summary),
    summary.interval === null ? "-" : shareText(summary.interval),
    ...(hasRows
      ? [summary.inARow === null ? "-" : `${summary.inARow.k}: ${shareText(summary.inARow.all)}`]
      : []),
    took(iterations.reduce((sum, one) => sum + (one.facts.durationMs ?? 0), 0)),
  ]);
  // A rate of few must say what became of the others, whatever it is.
  const red = ordered.filter(
    ({ facts: item, summary }) => item.verdict !== "passed" || summary.eligible < summary.configured,
  );
  const advice = failedAdvice(cases).map(
    (one) =>
      text`  ${style.yellow("!")} ${style.bold(one.title)} ${style.dim("advisory")} ${adviceText(one)}`,
  );
  const result = facts.result ?? "inconclusive";
  const passed = cases.filter(({ facts: item }) => item.verdict === "passed").length;
  return lines([
    table(columns, rows, width),
    ...(red.length > 0 ? ["", ...red.flatMap(whyRed)] : []),
    ...(advice.length > 0 ? ["", ...advice] : []),
    "",
    text`${marks[result]} ${style.bold(facts.suite.name)}: ${result}, ${passed} of ${count(cases.length, "case")} passed, ${verdict.passed} of ${count(verdict.total, "repetition")}${lostOf(record)}`,
    ...(result === "inconclusive" ? [text`  ${reasonOf(record)}`] : []),
    style.dim(
      text`  ${record.models.join(", ")} · ${took(record.durationMs)} · ${sensitivityOf(record).message}`,
    ),
  ]);
}

/** The checks that failed in the first repetition that did, and why the first of those that were lost never got so far. */
function whyRed({ facts, iterations }: JudgedCase): Text[] {
  const first = iterations.find((one) => one.facts.result === "failed");
  const failed = failingRows(facts.definitions, first?.facts.scores ?? []);
  const said = failed.map((row) => {
    const label = facts.definitions.find(({ scorerId }) => scorerId === row.scorerId)?.label ?? row.scorerId;
    return text`    ${style.red("✗")} ${label}: ${row.rationale ?? row.error ?? ""}`;
  });
  const lost = iterations.find((one) => one.facts.result === null)?.facts;
  const reason = lost ? [text`    ${lostWord[lost.status] ?? lost.status}: ${lost.error ?? ""}`] : [];
  return [text`  ${style.bold(facts.title)} ${style.dim(facts.caseKey)}`, ...reason, ...said];
}

const took = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
