/** @module What a model may write into findings: why, what to do, and a summary. It may doubt, and never count, place or promise. Pure. */
import { limits } from "@fettle/contract/core";
import type { ActionableFinding, InsightsEnvelope } from "@fettle/contract/insights";
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
  const known: Known = { numbers: numbersIn(finding), names: new Set([...toolNames, ...fieldsOf(finding)]) };
  const cause = trusted(rootCause, model.rootCause, known);
  const advice = trusted(recommendation, model.recommendation, known);
  return {
    ...finding,
    confidence: isConfidence(confidence) ? lower(finding.confidence, confidence) : finding.confidence,
    ...(cause !== undefined && { rootCause: cause }),
    ...(advice !== undefined && { recommendation: advice }),
  };
}

/** An item for a finding that is not there is dropped. */
export function withModelTexts<T extends Pick<InsightsEnvelope, "findings" | "summary" | "coverage">>(
  analysis: T,
  texts: ModelTexts,
  toolNames: ReadonlySet<string>,
): T {
  const items = new Map(texts.items.map((item) => [item.id, item]));
  const { coverage, findings: mined, summary: counted } = analysis;
  const findings = mined.map((finding) => {
    const item = items.get(finding.id);
    return item ? applyModelTexts(finding, item, toolNames) : finding;
  });
  const numbers = numbersIn([mined, coverage, counted, mined.length]);
  const summary = trusted(texts.summary, model.summary, { numbers, names: toolNames });
  return { ...analysis, findings, summary: summary ?? counted };
}

/** What a text may name: the numbers that were counted, the tools and fields there are. */
interface Known {
  numbers: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

/** With a unit or without. Digits inside an id, a hash or a name count nothing. */
const numbersOf = (text: string) => text.match(/(?<![\p{L}\d_])\d+(?=[a-z%]{0,3}(?![\p{L}\d_]))/giu) ?? [];
const numbersIn = (counted: unknown) => new Set(numbersOf(JSON.stringify(counted)));
const fieldsOf = ({ target }: ActionableFinding) => target?.fieldPath?.split(".") ?? [];

/** Undefined: what was there stays. */
function trusted(text: string | undefined, length: number, { numbers, names }: Known): string | undefined {
  const quoted = [...(text ?? "").matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);
  // What looks like a tool and is none: it talks about something else.
  if (quoted.some((name) => /^[a-z]+(?:[_-][a-z0-9]+)+$/i.test(name) && !names.has(name))) return undefined;
  const sentences = (text ?? "").match(/[^.!?]+(?:[.!?]+(?=\s|$)|[.!?]|$)/g) ?? [];
  const held = sentences.filter((one) => numbersOf(one).every((number) => numbers.has(number)));
  const clean = excerptOf(held.join(""), length);
  return clean === "" ? undefined : clean;
}
