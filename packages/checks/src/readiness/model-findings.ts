/** @module What a model may say of a server beside its grade: only of these kinds, never deciding, and told as a model's own word. */
import type { ReadinessKind } from "@fettle/contract/servers";
import { ordered } from "./algebra.ts";
import type { ReadinessFinding } from "./finding.ts";
import { directories, type ReadinessReport } from "./grade.ts";

const shared = {
  "tool-descriptions-uninformative": "What a tool does is not clear from its description",
  "tool-overlap": "Tools are hard to tell apart",
  "listing-copy-placeholder": "A text reads like a placeholder",
  "destructive-tool-underexplained": "What a tool destroys is not said",
};

/** Kinds of observations, by publisher. */
const topics: Record<ReadinessKind, Record<string, string>> = {
  claude: {
    ...shared,
    "connector-purpose-unclear": "What the connector is for is not clear",
    "consent-scope-unclear": "What people agree to is not clear",
    "app-copy-mismatched": "What a widget says does not fit its tool",
  },
  openai: {
    ...shared,
    "naming-inconsistent": "Names follow no common pattern",
    "listing-copy-overpromises": "A text promises more than the tools do",
    "skill-overlap": "Skills are hard to tell apart",
    "auth-story-unclear": "Why people sign in is not clear",
  },
};

export interface ModelObservation {
  topic: string;
  summary: string;
  evidence: string[];
  confidence: "low" | "medium" | "high";
}

export function observationTopics(kind: ReadinessKind): string[] {
  return Object.keys(topics[kind]);
}

/** The report with the observations in it: its grade, lanes and stages stay as they are. */
export function withModelFindings(
  report: ReadinessReport,
  observations: readonly ModelObservation[],
  { evaluatedAt }: { evaluatedAt: string },
): ReadinessReport {
  const { readinessKind: kind, engineVersion } = report;
  const [rule] = directories[kind].rules;
  if (!rule) return report;
  const found = observations.map(
    ({ topic, summary, evidence, confidence }): ReadinessFinding => ({
      id: `${kind}.experience.${topic}`,
      title: topics[kind][topic] ?? topic,
      lane: "experience-insights",
      class: "heuristic",
      status: "informational",
      message: summary,
      source: rule.source,
      provenance: "llm",
      intrusiveness: "passive",
      evaluatedAt,
      engineVersion,
      details: { evidence, confidence },
    }),
  );
  const findings = ordered([...report.findings, ...found]);
  return { ...report, findings, totalFindings: findings.length, returnedFindings: findings.length };
}
