/** @module A conformance report as JUnit XML: what could not run or does not apply is shown as skipped, a server that was not there as an error, neither ever as failed; what is required and absent is a failed case of its own. */
import { casesWithRequirement } from "../verdict/requirement.ts";
import type { SuiteCase, SuiteGroup, SuiteReport } from "../verdict/suite-report.ts";
import { attribute, escaped, seconds } from "./xml-text.ts";

export function toSuiteJunitXml(report: SuiteReport): string {
  return documentOf(report.kind, [report]);
}

/** Several suites in one file; each keeps its own score and profile. */
export function toCombinedJunitXml(reports: readonly SuiteReport[]): string {
  return documentOf("conformance", reports);
}

function documentOf(name: string, reports: readonly SuiteReport[]): string {
  const totals = tallyOf(reports.flatMap(({ groups }) => groups.flatMap(casesWithRequirement)));
  const durationMs = reports.reduce((sum, report) => sum + report.durationMs, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(name)}" tests="${totals.tests}" failures="${totals.failures}" errors="${totals.errors}" time="${seconds(durationMs)}">`,
    ...reports.flatMap((report) => report.groups.map((group) => groupXml(report, group))),
    "</testsuites>",
    "",
  ].join("\n");
}

function groupXml(report: SuiteReport, group: SuiteGroup): string {
  const { title, durationMs, summary } = group;
  const cases = casesWithRequirement(group);
  const { tests, failures, errors, skipped } = tallyOf(cases);
  const score = report.score?.score;
  const properties: (readonly [name: string, value: string])[] = [
    ["fettle.conformance.score", score === undefined || score === null ? "not-scored" : String(score)],
    ["fettle.conformance.outcome", report.outcome],
    ...(summary === undefined ? [] : [["fettle.conformance.summary", summary] as const]),
    ...(report.profile
      ? [
          [
            "fettle.conformance.profile",
            `${report.profile.profileId}@${report.profile.profileVersion}`,
          ] as const,
        ]
      : []),
  ];
  const advice = (report.advisories ?? []).map(
    ({ id, tier, word, message }) =>
      `${word ?? tier?.toUpperCase() ?? "advice"} ${id}${message === undefined ? "" : `: ${message}`}`,
  );
  return [
    `  <testsuite name="${attribute(title)}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds(durationMs)}">`,
    "    <properties>",
    ...properties.map(
      ([name, value]) => `      <property name="${attribute(name)}" value="${attribute(value)}"/>`,
    ),
    "    </properties>",
    ...cases.map((item) => caseXml(report.kind, item)),
    ...(advice.length > 0 ? [`    <system-out>${escaped(advice.join("\n"))}</system-out>`] : []),
    "  </testsuite>",
  ].join("\n");
}

function caseXml(kind: string, item: SuiteCase): string {
  const className = `fettle.${kind}.${item.category}`.replace(/[^A-Za-z0-9_.-]/g, "-");
  const open = `    <testcase name="${attribute(item.id)}" classname="${className}" time="${seconds(item.durationMs)}"`;
  const inner = [...innerXml(item), ...ruleXml(item)];
  return inner.length === 0
    ? `${open}/>`
    : [`${open}>`, ...inner.map((line) => `      ${line}`), "    </testcase>"].join("\n");
}

/** JUnit has no place for a rule: its word is the type of a failure, and it stands in what the case printed. */
function ruleXml({ rule, warnings = [] }: SuiteCase): string[] {
  const lines = [
    ...(rule ? [`${rule.word} (${rule.revision}) ${rule.title} ${rule.url}`] : []),
    ...warnings.map(({ word, message }) => `Advice, ${word}: ${message}`),
  ];
  return lines.length === 0 ? [] : [`<system-out>${escaped(lines.join("\n"))}</system-out>`];
}

function innerXml(item: SuiteCase): string[] {
  const { error, skipReason, details, rule } = item;
  const why = error?.message ?? "no reason given";
  const evidence = error?.details ?? details;
  const body = evidence === undefined ? "" : escaped(JSON.stringify(evidence));
  if (item.isOutage) return [`<error message="${attribute(why)}" type="outage">${body}</error>`];
  if (isSkipped(item)) return [`<skipped message="${attribute(`${skipReason ?? "pending"}: ${why}`)}"/>`];
  if (item.status === "passed") return [];
  const word = rule?.word ?? (item.category === "requirement" ? "required" : undefined);
  const type = word === undefined ? "" : ` type="${attribute(word)}"`;
  return [`<failure${type} message="${attribute(why)}">${body}</failure>`];
}

/** A pending check may pass or fail, but counts for neither. */
function isSkipped({ status, pending, isOutage }: SuiteCase): boolean {
  return !isOutage && (status === "skipped" || pending === true);
}

function tallyOf(cases: readonly SuiteCase[]) {
  const skipped = cases.filter(isSkipped).length;
  const failures = cases.filter((item) => !isSkipped(item) && item.status === "failed").length;
  const errors = cases.filter(({ isOutage }) => isOutage).length;
  return { tests: cases.length, failures, errors, skipped };
}
