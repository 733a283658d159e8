/** @module One line of a gate's decision. */
import { integrityOf } from "../grading/scores.ts";
import { isEligible } from "./compare.ts";
import type { RunFacts } from "./run-facts.ts";

export type GateStatus = "passed" | "failed" | "non_gateable" | "usage_error" | "waived";

export interface GateRow {
  gate: string;
  status: GateStatus;
  message: string;
  observed?: number;
  threshold?: number;
}

export function row(
  gate: string,
  status: GateStatus,
  message: string,
  numbers: { observed?: number; threshold?: number } = {},
): GateRow {
  return { gate, status, message, ...numbers };
}

/** Passes, fails, or could not be measured. */
export function measured(
  gate: string,
  observed: number | null | undefined,
  threshold: number,
  holds: boolean,
  message: string,
  unmeasured: string,
): GateRow {
  if (observed === null || observed === undefined)
    return row(gate, "non_gateable", unmeasured, { threshold });
  return row(gate, holds ? "passed" : "failed", message, { observed, threshold });
}

export function runIntegrity({ cases }: RunFacts): "valid" | "invalid" | "unknown" {
  const counted = cases.flatMap(({ definitions, iterations }) =>
    iterations.filter(isEligible).map(({ scores }) => ({ definitions, scores })),
  );
  if (counted.length === 0 || counted.every(({ definitions }) => definitions.length === 0)) return "unknown";
  return counted.every(({ definitions, scores }) => integrityOf(definitions, scores) === "valid")
    ? "valid"
    : "invalid";
}
