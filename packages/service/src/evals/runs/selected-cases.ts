/** @module Which of a suite's cases a launch runs, and whether they may count. */

import { ApiError, type UserId } from "@fettle/contract/core";
import type { EvalRun, ImportEligibility } from "@fettle/contract/evals";
import { refusalsOf, type SuiteCase } from "@fettle/evals";
import { notFound } from "../../core/routing/not-found.ts";
import { refused } from "../../environments/targets/refuse.ts";
import type { CaseRow, FrozenCase } from "./frozen.ts";

/** In the suite's order. `wanted` are ids or declared ids; a disabled case is left out. */
export function selectRows(rows: readonly CaseRow[], wanted: readonly string[] | undefined): CaseRow[] {
  const isNamed = (row: CaseRow, word: string) => row.id === word || row.declaredId === word;
  const unknown = wanted?.filter((word) => !rows.some((row) => isNamed(row, word))) ?? [];
  if (unknown.length > 0) {
    throw notFound(
      "evalCase",
      {
        code: "CASE_NOT_FOUND",
        path: "body.caseIds",
        unknownCaseIds: unknown,
      },
      `The suite has no case ${JSON.stringify(unknown[0])}.`,
    );
  }
  const selected = wanted ? rows.filter((row) => wanted.some((word) => isNamed(row, word))) : rows;
  const enabled = selected.filter(({ disabled }) => !disabled);
  if (enabled.length > 0) return enabled;
  const message = selected.length === 0 ? "The suite has no cases." : undefined;
  throw refused("VALIDATION_ERROR", "NO_ENABLED_CASES", message);
}

/** Every reason at once, the first one by its own code. */
export function requireRunnable(items: readonly SuiteCase[], approved: readonly string[]): void {
  const refusals = refusalsOf(items, { approved });
  const [first] = refusals;
  if (!first) return;
  throw new ApiError("VALIDATION_ERROR", first.message, {
    code: first.code,
    reason: first.code,
    refusals: refusals.map(({ code, message }) => ({ code, message })),
  });
}

export interface Approval {
  caseIds: readonly string[];
  reason: string;
}

/** Who approved and when is ours to say. */
export function approvalsOf(
  asked: Approval | undefined,
  cases: readonly FrozenCase[],
  approvedBy: UserId,
  approvedAt: number,
): EvalRun["approvals"] | null {
  if (!asked) return null;
  const approved = cases.filter(({ item }) => asked.caseIds.includes(item.id));
  return {
    cases: approved.map(({ caseId, item }) => ({ caseId: caseId ?? item.id, caseKey: item.id })),
    reason: asked.reason,
    approvedBy,
    approvedAt,
  };
}

/** From what was frozen alone. What may not count never gets this far, so that what was imported is eligible here. */
export function importEligibilityOf(
  asked: Approval | undefined,
  cases: readonly FrozenCase[],
): ImportEligibility | null {
  const imported = cases.filter(({ item }) => item.import !== undefined);
  if (imported.length === 0) return null;
  return {
    status: "eligible",
    gateable: true,
    reasons: [],
    importedCaseCount: imported.length,
    claimedExactCaseIds: imported.flatMap(({ item }) => (item.import?.status === "exact" ? [item.id] : [])),
    approvedApproximationCaseIds: [...(asked?.caseIds ?? [])],
    issues: [],
  };
}
