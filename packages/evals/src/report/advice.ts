/** @module What advisory checks found. They decide nothing, and are worth a line wherever a run is told. */
import { definitionHash } from "../grading/scores.ts";
import type { JudgedCase } from "../run/suite-record.ts";
import { sentences } from "../told.ts";

export interface FailedAdvice {
  caseKey: string;
  title: string;
  /** The check, as people read it. */
  label: string;
  /** Of the repetitions that it was looked at in. */
  failed: number;
  of: number;
  /** What was seen the first time. */
  why: string;
}

export function failedAdvice(cases: readonly JudgedCase[]): FailedAdvice[] {
  return cases.flatMap(({ facts: { caseKey, title, definitions, iterations } }) =>
    definitions.flatMap((definition): FailedAdvice[] => {
      if (definition.role !== "advisory") return [];
      const hash = definitionHash(definition);
      const rows = iterations.flatMap(({ scores }) =>
        scores.filter((row) => row.definitionHash === hash && row.status === "scored"),
      );
      const failed = rows.filter(({ passed }) => passed === false);
      if (failed.length === 0) return [];
      const why = failed[0]?.rationale ?? "";
      return [{ caseKey, title, label: definition.label, failed: failed.length, of: rows.length, why }];
    }),
  );
}

/** @example adviceText(advice) // "responseContains Thank you did not hold in 2 of 2. answered: Shipped." */
export function adviceText({ label, failed, of, why }: FailedAdvice): string {
  return sentences(`${label} did not hold in ${failed} of ${of}`, why);
}
