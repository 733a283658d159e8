/** @module What a model may write into findings: why, what to do, and a summary. It may doubt, and never count, place or promise. Pure. */
import { type ActionableFinding, type InsightsEnvelope, limits } from "@fettle/contract";
import { excerptOf } from "../text/scrub.ts";
import { isConfidence, lower } from "./severity.ts";

export interface ModelItem {
  id: string;
  rootCause?: string | undefined;
  recommendation?: string | undefined;
  confidence?: string | undefined;
}

export interface ModelTexts {
  summary?: string | undefined;
  items: readonly ModelItem[];
}

const { model } = limits.insights;

/** Everything else of the finding stays as it was mined; a text that says what is not so is left out. */
export function applyModelTexts(
  finding: ActionableFinding,
  { rootCause, recommendation, confidence }: Omit<ModelItem, "id">,
  toolNames: ReadonlySet<string>,
): ActionableFinding {
  const cause = trusted(rootCause, model.rootCause, finding, toolNames);
  const advice = trusted(recommendation, model.recommendation, finding, toolNames);
  const doubted = isConfidence(confidence) ? lower(finding.confidence, confidence) : finding.confidence;
  return {
    ...finding,
    confidence: doubted,
    ...(cause !== undefined && { rootCause: cause }),
    ...(advice !== undefined && { recommendation: advice }),
  };
}

/** An item for a finding that is not there is dropped. */
export function withModelTexts<T extends Pick<InsightsEnvelope, "findings" | "summary">>(
  analysis: T,
  texts: ModelTexts,
  toolNames: ReadonlySet<string>,
): T {
  const items = new Map(texts.items.map((item) => [item.id, item]));
  const findings = analysis.findings.map((finding) => {
    const item = items.get(finding.id);
    return item ? applyModelTexts(finding, item, toolNames) : finding;
  });
  const summary = excerptOf(texts.summary ?? "", model.summary);
  return { ...analysis, findings, summary: summary === "" ? analysis.summary : summary };
}

/** Undefined: what was there stays. */
function trusted(
  text: string | undefined,
  length: number,
  finding: ActionableFinding,
  toolNames: ReadonlySet<string>,
): string | undefined {
  const named = [...(text ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  // Names in code that look like a tool's and are none: it talks about something else.
  if (named.some((name) => /^[a-z]+(?:[_-][a-z0-9]+)+$/i.test(name) && !isKnown(name, finding, toolNames)))
    return undefined;
  const sentences = (text ?? "").match(/[^.!?]+(?:[.!?]+(?=\s|$)|[.!?]|$)/g) ?? [];
  const kept = sentences.filter((sentence) => !contradicts(sentence, finding)).join("");
  const clean = excerptOf(kept, length);
  return clean === "" ? undefined : clean;
}

const isKnown = (name: string, { target }: ActionableFinding, toolNames: ReadonlySet<string>) =>
  toolNames.has(name) || target?.fieldPath?.split(".").includes(name) === true;

/** It states another count than was counted: "in 7 of 9 sessions", "7 sessions". */
function contradicts(sentence: string, { affected: { count, total } }: ActionableFinding): boolean {
  const said = [
    ...sentence.matchAll(/\b(\d+)\s+(?:of|out of|\/)\s+(?:the\s+)?(\d+)\b/gi),
    ...sentence.matchAll(/\b(\d+)\s+(?:sessions?|iterations?|users?|visitors?|conversations?|runs?)\b/gi),
  ];
  return said.some(
    ([, one, other]) =>
      ![count, total].includes(Number(one)) || (other !== undefined && Number(other) !== total),
  );
}
