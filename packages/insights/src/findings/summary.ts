/** @module All findings in one or two sentences, made of counts and one title. Pure. */
import type { ActionableFinding, InsightsEnvelope } from "@fettle/contract/insights";

export function summaryOf(
  findings: readonly ActionableFinding[],
  { analyzed, total, unit, truncated, lowConfidence }: InsightsEnvelope["coverage"],
): string {
  const coverage = truncated || lowConfidence ? ` Coverage ${analyzed}/${total}.` : "";
  const [first] = findings;
  if (!first) return `No anomalies in ${analyzed} ${unit}.${coverage}`;
  const ready = findings.filter(
    (one) => one.actionTarget === "mcp_server" && one.actionability === "ready",
  ).length;
  const open = findings.filter(({ actionability }) => actionability === "investigate").length;
  const others = findings.length - ready - open;
  const what = `${findings.length} ${findings.length === 1 ? "problem" : "problems"} in ${analyzed} ${unit}`;
  const parts = `${ready} ready server ${ready === 1 ? "fix" : "fixes"}, ${open} to investigate, ${others} elsewhere`;
  return `${what}: ${parts}. Most affected: ${first.title}.${coverage}`;
}
