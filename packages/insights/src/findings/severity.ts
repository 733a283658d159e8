/** @module How bad a finding is, how sure, and which comes first. Pure. */
import type { ActionableFinding } from "@fettle/contract/insights";

type Severity = ActionableFinding["severity"];
type Confidence = ActionableFinding["confidence"];

export interface Weighed {
  /** Of the kind of problem, 0 to 1. */
  weight: number;
  count: number;
  /** Units that could have shown it. */
  total: number;
  actionability: ActionableFinding["actionability"];
  /** One of its units decided a verdict. */
  hasGatingFailure: boolean;
}

const share = { weight: 0.55, ratio: 0.3, extent: 0.15 };
/** So many doublings of the count add nothing more. */
const doublings = 5;

/** 0 to 100. */
export function severityScore({ weight, count, total }: Pick<Weighed, "weight" | "count" | "total">): number {
  const ratio = total === 0 ? 0 : count / total;
  const extent = Math.min(1, Math.log2(1 + count) / doublings);
  return Math.round(100 * (share.weight * weight + share.ratio * ratio + share.extent * extent));
}

const levels: readonly [Severity, number][] = [
  ["high", 70],
  ["medium", 45],
  ["low", 20],
  ["info", 0],
];
const rank: Record<Severity, number> = { info: 0, low: 1, medium: 2, high: 3 };

export function severityOf(weighed: Weighed): Severity {
  const score = severityScore(weighed);
  const level = levels.find(([, least]) => score >= least)?.[0] ?? "info";
  if (weighed.actionability === "informational") return rank[level] > rank.low ? "low" : level;
  return weighed.hasGatingFailure && rank[level] < rank.medium ? "medium" : level;
}

/** `isProven`: the detector's own rule shows how it comes about. */
export function confidenceOf(
  { count }: Pick<Weighed, "count">,
  { isProven, lowConfidence }: { isProven: boolean; lowConfidence: boolean },
): Confidence {
  if (isProven && count >= 5 && !lowConfidence) return "high";
  return isProven || count >= 3 ? "medium" : "low";
}

const confidences: readonly Confidence[] = ["low", "medium", "high"];
export const isConfidence = (word: unknown): word is Confidence => confidences.some((one) => one === word);

/** The less sure of the two. */
export function lower(one: Confidence, other: Confidence): Confidence {
  return confidences.indexOf(one) < confidences.indexOf(other) ? one : other;
}

/** What somebody can do something about comes first. */
function group({ actionTarget, actionability }: ActionableFinding): number {
  if (actionability === "informational" || actionTarget === "environment") return 5;
  if (actionTarget === "mcp_server") return actionability === "ready" ? 0 : 1;
  return { agent_configuration: 2, eval_case: 3, investigate: 4 }[actionTarget];
}

export interface Scored {
  finding: ActionableFinding;
  score: number;
}

export function inOrder(findings: readonly Scored[]): Scored[] {
  return findings.toSorted(
    (one, other) =>
      group(one.finding) - group(other.finding) ||
      other.score - one.score ||
      (one.finding.id < other.finding.id ? -1 : 1),
  );
}
