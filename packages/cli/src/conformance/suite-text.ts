/** @module A conformance report for eyes: every check with its mark, and beside each that did not pass the reason. What does not apply, or could not run for one cause, is one line for each reason. */
import type { SuiteCase, SuiteGroup, SuiteReport } from "@fettle/checks";
import type { View } from "../output/printer.ts";
import { join, lines, pad, style, type Text, text, widthOf, wrap } from "../output/text.ts";

const verdicts: Record<SuiteReport["outcome"], Text> = {
  passed: style.green("✓ passed"),
  failed: style.red("✗ failed"),
  incomplete: style.yellow("! incomplete"),
  "not-applicable": style.dim("· nothing to test"),
};

export interface SuiteTextOptions {
  /** List what does not apply, too. */
  verbose?: boolean;
}

export function suiteText(
  report: SuiteReport,
  { width }: View,
  { verbose = false }: SuiteTextOptions = {},
): Text {
  const room = Number.isFinite(width) ? width : 120;
  return lines([
    ...report.groups.flatMap((group) => [...groupText(group, room, verbose), ""]),
    ...report.groups.flatMap(({ unmet }) => (unmet === undefined ? [] : [style.red(`✗ ${unmet}`)])),
    text`${verdicts[report.outcome]}  ${report.groups.map(({ summary = "" }) => summary).join("; ")}`,
  ]);
}

function groupText(
  { title, target, cases, durationMs }: SuiteGroup,
  width: number,
  verbose: boolean,
): Text[] {
  const stopped = verbose ? [] : stoppedAlike(cases);
  const shown = verbose ? cases : cases.filter((item) => !isFolded(item) && !stopped.includes(item));
  const idWidth = Math.max(...shown.map(({ id }) => widthOf(id)), 0);
  const categories = Object.entries(Object.groupBy(shown, ({ category }) => category));
  return [
    text`${style.bold(title)}  ${target}  ${style.dim(`${durationMs} ms`)}`,
    ...foldedText("could not run", stopped, width, style.yellow("!")),
    ...categories.flatMap(([category, group = []]) => [
      text``,
      style.dim(category),
      ...group.map((item) => caseText(item, idWidth, width)),
    ]),
    ...(verbose ? [] : foldedText("does not apply", cases.filter(isFolded), width, style.dim("·"))),
  ];
}

function isFolded({ status, skipReason }: SuiteCase): boolean {
  return status === "skipped" && skipReason === "not-applicable";
}

const fewest = 3;

/** Checks that could not run for a cause that stopped several: told once, and first. */
function stoppedAlike(cases: readonly SuiteCase[]): SuiteCase[] {
  const stopped = cases.filter(
    ({ status, skipReason }) => status === "skipped" && skipReason === "could-not-run",
  );
  const alike = Object.values(Object.groupBy(stopped, ({ error }) => error?.message ?? ""));
  return alike.flatMap((group = []) => (group.length >= fewest ? group : []));
}

/** One line for each reason, the commonest first. */
function foldedText(heading: string, cases: readonly SuiteCase[], width: number, mark: Text): Text[] {
  const reasons = Object.entries(Object.groupBy(cases, ({ error }) => error?.message ?? "No reason given."));
  if (reasons.length === 0) return [];
  const rows = reasons
    .map(([reason, group = []]) => ({ reason, count: group.length }))
    .sort((one, other) => other.count - one.count);
  const indent = 8;
  return [
    text``,
    style.dim(`${heading} (${cases.length}; --verbose lists them)`),
    ...rows.map(({ reason, count: times }) => {
      const [first = "", ...rest] = wrap(reason, Math.max(24, width - indent));
      return lines([
        text`  ${mark} ${style.dim(`${String(times).padStart(3)} `)}${style.dim(first)}`,
        ...rest.map((line) => text`${" ".repeat(indent)}${style.dim(line)}`),
      ]);
    }),
  ];
}

function caseText(item: SuiteCase, idWidth: number, width: number): Text {
  const { id, title, status, skipReason, error } = item;
  const indent = idWidth + 6;
  const isCalm = status === "passed" || skipReason === "not-applicable";
  const say = (line: string) => (isCalm ? style.dim(line) : text`${line}`);
  const [first = "", ...rest] = wrap(
    status === "passed" ? title : (error?.message ?? title),
    Math.max(24, width - indent),
  );
  const inset = " ".repeat(indent);
  return lines([
    join([text`  ${markOf(item)} `, pad(id, idWidth), text`  ${say(first)}`]),
    ...rest.map((line) => text`${inset}${say(line)}`),
    ...ruleLines(item).flatMap(({ line, style: look }) =>
      wrap(line, Math.max(24, width - indent)).map((piece) => text`${inset}${look(piece)}`),
    ),
  ]);
}

/** What was broken, how strongly it is said and where: of failures, and of advice. */
function ruleLines({
  status,
  rule,
  warnings = [],
}: SuiteCase): { line: string; style: (line: string) => Text }[] {
  const advice = warnings.map(({ word, message }) => ({
    line: `${word}: ${message}`,
    style: word === "SHOULD" || word === "MAY" ? style.yellow : style.dim,
  }));
  const isTold = rule !== undefined && (status === "failed" || warnings.length > 0);
  const address = isTold
    ? [{ line: `${status === "failed" ? `${rule.word}, ` : ""}${rule.url}`, style: style.dim }]
    : [];
  return [...advice, ...address];
}

/** Passed, with something beside it that could be better: a plain tick would say the opposite of its own lines. */
function isAdvised({ warnings = [] }: SuiteCase): boolean {
  return warnings.length > 0;
}

function markOf(item: SuiteCase): Text {
  const { status, skipReason, pending } = item;
  if (pending) return style.dim(status === "failed" ? "✗" : "·");
  if (status === "passed") return isAdvised(item) ? style.yellow("~") : style.green("✓");
  if (status === "failed") return style.red("✗");
  return skipReason === "could-not-run" ? style.yellow("!") : style.dim("·");
}
