/** @module From what fired to a finding one can act on: what it means, where it lies, how bad and how sure, in words made of counts and names alone. Pure. */

import { limits } from "@fettle/contract/core";
import type { ActionableFinding, ActionableFindingEvidence } from "@fettle/contract/insights";
import type { Meaning, Texts, Told, World } from "../detectors/detector.ts";
import type { Fired } from "../signals/detected-signals.ts";
import { signalFingerprint } from "../signals/fingerprint.ts";
import type { Passage } from "../signals/tally.ts";
import { clipped, excerptOf, identifierOf } from "../text/scrub.ts";
import { findingId } from "./finding-id.ts";
import { isPromoted, type Outcomes } from "./promote.ts";
import { confidenceOf, type Scored, severityOf, severityScore } from "./severity.ts";
import { targetOf } from "./target.ts";

export interface FindingSetting {
  world: World;
  outcomes: Outcomes;
  unit: ActionableFinding["affected"]["unit"];
  lowConfidence: boolean;
}

const longest = { title: 200, words: 80, observed: 600 };

export function findingOf(fired: Fired, { world, outcomes, unit, lowConfidence }: FindingSetting): Scored {
  const { detector, shown } = fired;
  const usual = meaningOf(fired, world);
  const isProven = detector.isProven(shown, world);
  const target = targetOf(usual, shown.place, world);
  const isLexical = detector.isOfChoice === true && fired.ofRules === shown.count;
  const actionability = actionabilityOf();
  const meaning = { ...usual, actionability };
  const id = idOf(fired);
  const told = toldOf(fired, unit);
  const { texts } = detector;
  const affected = { count: shown.count, total: Math.max(shown.count, shown.total), unit };
  const weighed = {
    weight: meaning.weight,
    ...affected,
    actionability,
    hasGatingFailure: fired.hasGatingFailure,
  };
  const said =
    texts.observed?.(told, world) ??
    `${told.subject.label}: ${texts.phrase}, in ${shown.count} of ${shown.total} ${unit}`;
  const finding: ActionableFinding = {
    id,
    signalFingerprint: signalFingerprint(detector.id, shown.subject),
    title: clipped(`${isLexical ? "lexical: " : ""}${titleOf(texts, told, world)}`, longest.title),
    category: meaning.category,
    attribution: meaning.attribution,
    actionTarget: meaning.actionTarget,
    actionability,
    severity: severityOf(weighed),
    confidence: isLexical ? "low" : confidenceOf(shown, { isProven, lowConfidence }),
    observed: clipped(`${said}${severalNote()}.`, longest.observed),
    ...(isProven && texts.rootCause && { rootCause: say(texts.rootCause, told, world) }),
    recommendation: say(texts.recommendation, told, world),
    acceptanceCriteria: [
      `${told.cases === "" ? "Analyse what comes next" : `Re-run ${told.cases}`}: ${id} does not fire.`,
      ...(texts.acceptance ? [`${texts.acceptance(told, world)}.`] : []),
    ],
    affected,
    ...(texts.patternSlug && { patternSlug: texts.patternSlug }),
    ...(target && { target }),
    evidence: evidenceOf(fired),
  };
  return { finding, score: severityScore(weighed) };

  function actionabilityOf() {
    if (isLexical) return "informational";
    const isServerFix = usual.actionTarget === "mcp_server" && usual.actionability === "ready";
    const may = !isServerFix || isPromoted(fired, { meaning: usual, target, isProven, outcomes });
    return may ? usual.actionability : "investigate";
  }

  function severalNote(): string {
    const isSeveral = target !== undefined && world.surface.snapshotsOf(target.serverId).length > 1;
    return isSeveral ? "; several definitions were met, the newest is shown" : "";
  }
}

function meaningOf({ detector, shown }: Fired, world: World): Meaning {
  const { category, attribution, actionTarget, actionability, weight, surface } = detector;
  return {
    category,
    attribution,
    actionTarget,
    actionability,
    weight,
    surface,
    ...detector.means?.(shown, world),
  };
}

/** By what it is and where it shows; what it is taken to mean may change with the next edit of the server. */
function idOf({ detector, shown: { place, subject } }: Fired): string {
  const surface = place.errorClass === "invalid_params" ? "input_schema" : detector.surface;
  return findingId({
    detector: detector.id,
    serverId: place.serverId,
    toolName: place.toolName,
    surface,
    fieldPath: place.fieldPath ?? null,
    errorClass: place.errorClass ?? null,
    template: place.template ?? null,
    subject: `${subject.kind}:${subject.id}`,
  });
}

const say = (text: Texts["recommendation"], told: Told, world: World) =>
  typeof text === "string" ? text : text(told, world);
const titleOf = (texts: Texts, told: Told, world: World) =>
  texts.title?.(told, world) ?? `${told.subject.label}: ${texts.phrase}`;

function toldOf({ shown, tasks }: Fired, unit: string): Told {
  const { place, subject } = shown;
  const names = {
    serverId: place.serverId,
    toolName: place.toolName === null ? null : identifierOf(place.toolName),
    template: place.template == null ? null : clipped(place.template.replaceAll('"', "'"), longest.words),
  };
  return {
    ...shown,
    place: { ...place, ...names },
    subject: { ...subject, label: identifierOf(subject.label) },
    tool: names.toolName ?? identifierOf(subject.label),
    field: identifierOf(valuePath(place.fieldPath ?? "")),
    words: names.template ?? "",
    unit,
    cases: tasks.map((task) => `"${identifierOf(task)}"`).join(", "),
  };
}

/** The field as a caller knows it. */
const valuePath = (fieldPath: string) =>
  fieldPath.replace(/(?<=^|\.)properties\./g, "").replace(/(?<=\.)items(?=\.|$)/g, "[]");

function evidenceOf({ detector, examples, contrasts, shown }: Fired): ActionableFindingEvidence[] {
  const unitOf = ({ kind, unitId }: { kind: "iteration" | "session"; unitId: string }) =>
    kind === "iteration" ? { iterationId: unitId } : { sessionId: unitId };
  const shownBy = examples.map((example): ActionableFindingEvidence => {
    const said: Passage = example.passages[0] ?? { kind: "transcript", text: `${detector.texts.phrase}.` };
    const { kind, text, ...about } = said;
    return {
      kind,
      excerpt: excerptOf(text, limits.insights.excerptLength),
      ...unitOf(example),
      ...about,
    };
  });
  const clean = detector.evidence.includes("contrast") ? contrasts : [];
  const beside = clean.map((unit): ActionableFindingEvidence => {
    const what = shown.place.toolName === null ? "This one" : `"${identifierOf(shown.place.toolName)}"`;
    return { kind: "contrast", excerpt: `${what} went without it here.`, ...unitOf(unit) };
  });
  return [...shownBy, ...beside];
}
