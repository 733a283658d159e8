/** @module Insights as people read them: what was found, whose it is, what to do, and how to know that it is done. */
import type { ActionableFinding, InsightsEnvelope } from "@fettle/contract/insights";
import { lines, style, type Text, text } from "./text.ts";

const marks: Record<ActionableFinding["severity"], (words: string) => Text> = {
  high: style.red,
  medium: style.yellow,
  low: style.dim,
  info: style.dim,
};

export function envelopeText(envelope: InsightsEnvelope): Text {
  const { status, summary, coverage, findings, truncation, error, reasonCode } = envelope;
  const { analyzed, total, unit } = coverage;
  return lines([
    text`${style.bold(status.replaceAll("_", " "))} ${style.dim(`${reasonCode ?? ""} ${analyzed}/${total} ${unit}`.trim())}`,
    ...(error ? [text`  ${error.message}`] : []),
    ...(summary ? [text`${summary}`] : []),
    ...findings.flatMap(findingLines),
    ...(truncation.omittedFindings > 0 ? [text`${truncation.omittedFindings} more are not shown.`] : []),
  ]);
}

function findingLines(finding: ActionableFinding): Text[] {
  const { id, severity, title, observed, rootCause, recommendation, actionTarget, affected } = finding;
  return [
    text``,
    text`${marks[severity](severity)} ${style.bold(title)} ${style.dim(id)}`,
    text`  ${observed} ${style.dim(`(${affected.count}/${affected.total} ${affected.unit}, ${actionTarget.replaceAll("_", " ")})`)}`,
    ...(rootCause ? [text`  Because: ${rootCause}`] : []),
    text`  Do: ${recommendation}`,
    ...finding.acceptanceCriteria.slice(0, 1).map((criterion) => text`  Done when: ${criterion}`),
  ];
}
