/** @module Takes credentials out of what servers and models said before any report is made of it. Ids, titles and digests stay: others are joined by them. */
import { isExactNumber } from "@fettle/contract/formats";
import { isCredentialKey, redactedText, redactText } from "@fettle/contract/secrets";
import type { RecordedCase, RecordedIteration, SuiteRecord } from "../run/suite-record.ts";

/** `hide` takes out the values that are known: of the servers' headers and variables, of the models' keys. */
export function scrubRecord(record: SuiteRecord, hide: (text: string) => string): SuiteRecord {
  const clean = scrubbing(hide);
  const cases = record.cases.map((recorded): RecordedCase => {
    const iterations = recorded.iterations.map((one) => scrubIteration(one, clean));
    const { facts } = recorded;
    return {
      ...recorded,
      iterations,
      facts: {
        ...facts,
        title: clean(facts.title),
        // A check may name a credential that must not be told; what it is known by is its digest.
        definitions: facts.definitions.map((one) => ({ ...one, label: clean(one.label) })),
        iterations: iterations.map((one) => one.facts),
      },
    };
  });
  return {
    ...record,
    warnings: clean(record.warnings),
    cases,
    facts: { ...record.facts, cases: cases.map(({ facts }) => facts) },
  };
}

function scrubIteration(one: RecordedIteration, clean: <T>(value: T) => T): RecordedIteration {
  const { facts, trace, grade, oddity, cassette } = one;
  return {
    ...one,
    ...(oddity !== undefined && { oddity: clean(oddity) }),
    ...(cassette && { cassette: clean(cassette) }),
    ...(grade && { grade: clean(grade) }),
    ...(trace && { trace: clean(trace) }),
    facts: {
      ...facts,
      ...(facts.error !== undefined && { error: clean(facts.error) }),
      scores: facts.scores.map((row) => ({
        ...row,
        ...(row.rationale !== undefined && { rationale: clean(row.rationale) }),
        ...(row.error !== undefined && { error: clean(row.error) }),
      })),
    },
  };
}

/**
 * Takes credentials out of a value, whoever said them: those that are known, those that look like one, and whatever stands under a name
 * that says so (`DB_PASSWORD`, `apiKey`, `cookie`).
 */
export function scrubbing(hide: (text: string) => string): <T>(value: T) => T {
  return (value) => withTexts(value, (text) => redactText(hide(text)));
}

/** A copy with every text in it changed; its shape stays. */
function withTexts<T>(value: T, change: (text: string) => string): T {
  return walk(value) as T;

  function walk(part: unknown): unknown {
    if (typeof part === "string") return change(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null || isExactNumber(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [
        key,
        isCredentialKey(key) ? hiddenTexts(member) : walk(member),
      ]),
    );
  }

  /** A header may come as a list; what is no text under such a name is a schema, or a number of things. */
  function hiddenTexts(part: unknown): unknown {
    if (typeof part === "string") return part === "" ? "" : redactedText;
    return Array.isArray(part) ? part.map(hiddenTexts) : walk(part);
  }
}
