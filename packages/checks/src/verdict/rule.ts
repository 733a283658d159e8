/** @module What a check goes by: the sentence, its address, how strongly it is said, and in which revisions. Only MUST and schema decide a run. */
import type { RuleWord } from "@fettle/contract/servers";

export interface Rule {
  word: RuleWord;
  /** The section that says it. */
  title: string;
  url: string;
  /** The edition of the document, such as a revision of the protocol. */
  revision: string;
  /** The protocol revisions it binds; every one unless said. */
  binds?: readonly string[];
}

/** What every suite knows of a target before it judges. */
export interface JudgingFacts {
  /** The protocol revision that is judged. */
  version: string;
  /** The operator says that this server keeps to a contract beyond the text, such as the official suite's fixtures. */
  contractBinds?: boolean;
}

/** Something not as it should be, and how strongly the text speaks there. */
export interface Finding {
  word: RuleWord;
  message: string;
  /** The sentence, where it is not that of the check itself. */
  url?: string;
}

/** The rule of a check in one revision; undefined where that revision has none. */
export function ruleIn(rules: readonly Rule[], version: string): Rule | undefined {
  return rules.find(({ binds }) => binds === undefined || binds.includes(version));
}

/** Why a revision without a rule has none. */
export function whyUnbound(rules: readonly Rule[], version: string): string {
  const bound = rules.flatMap(({ binds = [] }) => binds).toSorted();
  const first = bound[0];
  return first !== undefined && version < first
    ? `The rule came with ${first}; this is ${version}.`
    : `${version} has no such rule.`;
}

/** Whether breaking it fails a run. Everything else is advice. */
export function decides(word: RuleWord, { contractBinds = false }: JudgingFacts): boolean {
  return word === "MUST" || word === "schema" || (word === "contract" && contractBinds);
}

/** A finding unless it holds, weaker or stronger than the check's own rule. */
export function findingUnless(holds: boolean, word: RuleWord, message: string, url?: string): Finding[] {
  return holds ? [] : [{ word, message, ...(url !== undefined && { url }) }];
}
