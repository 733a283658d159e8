/** @module A judge without a model: how much of what was expected is in the answer, word by word. The same record always gets the same grade. */
import { terms } from "@fettle/contract/formats";
import type { Trace } from "@fettle/evals";
import type { Evidence } from "./evidence.ts";
import type { Grade } from "./grade.ts";

/** How much each part counts. */
const weights = { words: 0.6, identifiers: 0.2, noError: 0.2 };

export type RulesJudge = (evidence: Evidence, trace: Trace) => Grade | undefined;

/** `expectations` of all cases: a word that everything expects tells little. */
export function createRulesJudge(expectations: readonly string[]): RulesJudge {
  const frequency = new Map<string, number>();
  for (const text of expectations) {
    for (const term of new Set(terms(text))) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const weightOf = (term: string) => Math.log(1 + expectations.length / (frequency.get(term) ?? 1));

  return ({ expectedOutput, finalText }, trace) => {
    // Without anything expected there is nothing to look for.
    if (expectedOutput === undefined) return undefined;
    const wanted = [...new Set(terms(expectedOutput))];
    const said = new Set(terms(finalText));
    const missing = wanted.filter((term) => !said.has(term));
    const sum = (list: readonly string[]) => list.reduce((total, term) => total + weightOf(term), 0);
    const words = wanted.length === 0 ? 1 : 1 - sum(missing) / sum(wanted);
    const exact = identifiersOf(expectedOutput);
    const lost = exact.filter((one) => !finalText.includes(one));
    const identifiers = exact.length === 0 ? 1 : 1 - lost.length / exact.length;
    const lastTurn = Math.max(0, ...trace.toolCalls.map(({ turn }) => turn));
    const hasError = trace.toolCalls.some(({ turn, isError }) => turn === lastTurn && isError === true);
    const score =
      weights.words * words + weights.identifiers * identifiers + weights.noError * (hasError ? 0 : 1);
    return {
      score: Math.round(score * 1_000) / 1_000,
      reason: `By rules: ${wanted.length - missing.length} of ${wanted.length} expected words and ${exact.length - lost.length} of ${exact.length} numbers and identifiers are in the answer; ${hasError ? "a" : "no"} tool failed in the last turn.`,
      items: [...missing, ...lost].map((one) => `missing: ${one}`),
    };
  };
}

function identifiersOf(text: string): string[] {
  return [...new Set(text.match(/[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_.-]*/gu) ?? [])].map((one) =>
    one.replace(/[.-]+$/, ""),
  );
}
