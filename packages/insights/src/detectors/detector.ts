/**
 * @module What a detector is: a row that says where it looks, what it sees in one conversation, when that is enough, and what
 * it then means. Conversations are seen one at a time, so that they may come in any order and none is kept.
 */
import type { ActionableFinding, InsightScope } from "@fettle/contract/insights";
import type { ErrorClass } from "../errors/error-class.ts";
import type { UnitFacts } from "../facts/unit-facts.ts";
import type { Surface } from "../observed/surface.ts";
import type { Named } from "../observed/unit.ts";

export interface Subject extends Named {
  kind: string;
}

/** Where a remedy lies. What of it is fixed by the detector and what was seen names the finding: never what was counted. */
export interface Place {
  serverId: string | null;
  toolName: string | null;
  fieldPath?: string | null;
  errorClass?: ErrorClass | null;
  template?: string | null;
}

/** It showed. Hits of one signal with the same place are one finding. */
export interface Hit {
  place: Place;
  /** How often in this conversation: calls, turns, renders. */
  times: number;
  /** What may be shown of it: a call, a turn. */
  call?: number | undefined;
  turn?: number | undefined;
  /** What was seen, in our words, where no passage is kept. */
  seen?: string | undefined;
  /** Counts that decide later what it means. */
  tally?: Readonly<Record<string, number>> | undefined;
  /** Digests of the arguments it showed with. */
  digests?: readonly string[] | undefined;
  /** Sorts hits that are judged apart and told as one; see `Detector.keeps`. */
  group?: string | undefined;
  /** It only adds to the tally: the conversation does not count. */
  isQuiet?: boolean | undefined;
}

/** One subject in one conversation: it could have shown, and did or did not. */
export interface Seen {
  subject: Subject;
  hits: readonly Hit[];
  /** Measured, to be held against others: milliseconds, bytes, tokens. */
  values?: readonly number[] | undefined;
}

/** The conversation is one of those that could have shown it; see `Detector.sliceOf`. */
export interface Exercised {
  slice: string;
}

export type Sight = Seen | Exercised;

export interface World {
  kind: InsightScope["kind"];
  family: Subject;
  surface: Surface;
  earlierSnapshots: Readonly<Record<string, string>> | undefined;
}

/** What all conversations together showed at one place. */
export interface Shown {
  place: Place;
  count: number;
  /** Of the conversations that could have shown it. */
  total: number;
  times: number;
  tally: Readonly<Record<string, number>>;
  /** Different cases, personas and models that met it; counted to two. */
  contributors: number;
  subject: Subject;
  /** The measured values of this subject, and of all others beside it. */
  values: Spread;
  rest: Spread;
  /** Its share of conversations, and that of the others of its kind; null without others. */
  rate: number;
  restRate: number | null;
}

export interface Spread {
  count: number;
  /** The value below which this share lies; null when there is none. */
  at(share: number): number | null;
  /** How many are so large. */
  from(value: number): number;
}

export type Category = ActionableFinding["category"];
export type Attribution = ActionableFinding["attribution"];
export type ActionTarget = ActionableFinding["actionTarget"];
export type Actionability = ActionableFinding["actionability"];
export type TargetSurface = NonNullable<ActionableFinding["target"]>["surface"];
export type EvidenceKind = "tool_error" | "transcript" | "feedback" | "judge" | "contrast";

export interface Meaning {
  category: Category;
  attribution: Attribution;
  actionTarget: ActionTarget;
  actionability: Actionability;
  /** How bad this kind of problem is by itself, 0 to 1. */
  weight: number;
  surface: TargetSurface | null;
  /** Where the remedy lies, when elsewhere than where it showed. */
  target?: { serverId: string; toolName?: string | undefined } | undefined;
}

/** Names and numbers to tell it with. */
export interface Told extends Shown {
  tool: string;
  field: string;
  /** The problem's own words, clipped. */
  words: string;
  unit: string;
  cases: string;
}

type Say = (told: Told, world: World) => string;

export interface Texts {
  title?: Say;
  /** After the subject's name and a colon. */
  phrase: string;
  observed?: Say;
  recommendation: Say | string;
  /** Told only where the mechanism is proven. */
  rootCause?: Say | string;
  acceptance?: Say;
  patternSlug?: PatternSlug;
}

export const patternSlugs = [
  "recovery-guide",
  "task-bundle",
  "enum-not-prose",
  "example-values",
  "clear-boundaries",
  "pagination-contract",
  "structured-output",
  "bounded-results",
  "honest-annotations",
] as const;
export type PatternSlug = (typeof patternSlugs)[number];

/** Fewer than these prove nothing. */
export interface Minimum {
  units: number;
  share: number;
}

export interface Detector extends Meaning {
  id: string;
  scopes: readonly InsightScope["kind"][];
  see(unit: UnitFacts, world: World): Iterable<Sight>;
  /** Of which conversations a subject's are counted, where that is not its own id. */
  sliceOf?(subject: Pick<Subject, "kind" | "id">): string;
  least?: Minimum;
  /** Beside the minimum. */
  fires?(shown: Shown, world: World): boolean;
  /** With groups: which of them count; those that do are told as one. */
  keeps?(tally: Readonly<Record<string, number>>): boolean;
  /** What depends on what was seen. */
  means?(shown: Shown, world: World): Partial<Meaning>;
  /** Whether its own rule shows how it comes about. */
  isProven(shown: Shown, world: World): boolean;
  evidence: readonly EvidenceKind[];
  /** Where the same arguments mostly succeed, it is not shown. */
  isRefutedBySuccess?: boolean;
  /** It tells of a model's choice: of a model by rules it says how findable the words are, and no more. */
  isOfChoice?: boolean;
  texts: Texts;
}

export const E = "eval_run" as const;
export const S = "swarm_wave" as const;
export const U = "user_testing_window" as const;
export const everywhere = [E, S, U] as const;

export const usualMinimum: Minimum = { units: 2, share: 0.05 };
/** A fact that needs no second witness. */
export const once: Minimum = { units: 1, share: 0 };
/** The detector's own rule says when. */
export const anyShare = (units: number): Minimum => ({ units, share: 0 });

export const always = () => true;
export const never = () => false;
export const twice = ({ count }: Shown) => count >= 2;
