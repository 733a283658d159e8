/** @module A run for a code host: a summary in Markdown, and annotations. What a server or a model said stays text. */
import type { JudgedCase, JudgedRun } from "../run/suite-record.ts";
import { counted } from "../told.ts";
import { adviceText, failedAdvice } from "./advice.ts";
import { lostOf, passedOf, reasonOf, sensitivityOf, shareText } from "./eval-report.ts";

const marks = { passed: "✅", failed: "❌", inconclusive: "⚠" } as const;
/** A step summary holds 1 MiB; long words of a model must not push the verdict out of it. */
const longestWords = 300;
const mostCases = 200;

export function evalMarkdown(record: JudgedRun): string {
  const { facts, verdict, models } = record;
  const result = facts.result ?? "inconclusive";
  const ordered = failuresFirst(record.cases);
  const shown = ordered.slice(0, mostCases);
  const rows = shown.map(
    ({ facts: item, summary, iterations }) =>
      `| ${marks[item.verdict]} | ${plain(item.title)} | ${passedOf(summary)} | ${share(summary)} | ${row(summary)} | ${plain(iterations.find((one) => one.facts.error !== undefined)?.facts.error ?? "")} |`,
  );
  return [
    `## ${marks[result]} ${plain(facts.suite.name)}: ${result}`,
    "",
    `${verdict.passed} of ${counted(verdict.total, "repetition")} passed${lostOf(record)} · ${plain(models.join(", "))} · ${(record.durationMs / 1000).toFixed(1)} s`,
    ...(result === "passed" ? [] : ["", plain(reasonOf(record))]),
    "",
    "| | Case | Passed | Rate (95 %) | In a row (95 %) | Why |",
    "|---|---|---|---|---|---|",
    ...rows,
    ...(ordered.length > shown.length ? ["", `And ${ordered.length - shown.length} more.`] : []),
    "",
    ...failedAdvice(record.cases).map(
      (advice) => `> Advisory, ${plain(advice.title)}: ${plain(adviceText(advice))}`,
    ),
    sensitivityOf(record).message,
    ...record.warnings.map((warning) => `> ${plain(warning)}`),
    "",
  ].join("\n");
}

/** Where the cases of a run are written down. */
export interface CaseSource {
  /** Undefined: it came through stdin. */
  file: string | undefined;
  lineOf(caseKey: string): number | undefined;
}

/** Annotations: an error for each failed case, a warning for each that showed nothing, a notice for what advisory checks found. */
export function githubAnnotations(record: JudgedRun, { file, lineOf }: CaseSource): string {
  const placeOf = (caseKey: string) => {
    if (file === undefined) return "";
    const at = lineOf(caseKey);
    return `file=${property(file)},${at === undefined ? "" : `line=${at},`}`;
  };
  const line = (level: string, { title, caseKey }: { title: string; caseKey: string }, why: string) =>
    `::${level} ${placeOf(caseKey)}title=${property(`${title} (${caseKey})`)}::${data(why)}\n`;
  const notices = failedAdvice(record.cases).map((advice) => line("notice", advice, adviceText(advice)));
  const verdicts = failuresFirst(record.cases)
    .filter(({ facts }) => facts.verdict !== "passed")
    .map(({ facts, iterations }) => {
      const level = facts.verdict === "failed" ? "error" : "warning";
      const why = iterations.find((one) => one.facts.error !== undefined)?.facts.error ?? facts.verdict;
      return line(level, facts, why);
    });
  return [...verdicts, ...notices].join("");
}

const rank = { failed: 0, inconclusive: 1, passed: 2 } as const;

export function failuresFirst(cases: readonly JudgedCase[]): JudgedCase[] {
  return cases.toSorted((one, other) => rank[one.facts.verdict] - rank[other.facts.verdict]);
}

function share({ interval }: JudgedCase["summary"]): string {
  return interval === null ? "not measured" : shareText(interval);
}

function row({ inARow }: JudgedCase["summary"]): string {
  return inARow ? `${inARow.k}: ${shareText(inARow.all)}` : "";
}

/** One cell: no markup, no line, no column of its own. */
function plain(text: string): string {
  const short = text.length > longestWords ? `${text.slice(0, longestWords - 1)}…` : text;
  // All signs in one pass: a second one would escape the first one's escapes.
  return short
    .replace(/\s+/g, " ")
    .replace(/[&<>\\`*_{}[\]()#+!|~@:/]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A workflow command ends at its line, and its percent signs are escapes. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
