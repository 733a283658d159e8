/** @module The report of a conformance suite, one shape for files, CI and the service: groups of cases with outcome, score and the profile they were judged by. */
import type { ConformanceSuite, RuleWord } from "@fettle/contract/servers";
import type { CheckResult } from "./check-result.ts";
import type { ProfileStamp } from "./profile.ts";
import type { Outcome, Score } from "./score.ts";

export type SuiteKind = ConformanceSuite;

export interface SuiteCase {
  id: string;
  title: string;
  category: string;
  status: CheckResult["status"];
  skipReason?: CheckResult["skipReason"];
  isOutage?: boolean;
  pending?: boolean;
  rule?: CheckResult["rule"];
  warnings?: CheckResult["warnings"];
  durationMs: number;
  description?: string;
  error?: { message: string; details?: unknown };
  details?: unknown;
}

export interface SuiteGroup {
  id: string;
  title: string;
  target: string;
  passed: boolean;
  durationMs: number;
  summary?: string;
  /** What the operator required and is absent: nothing was tested. */
  unmet?: string;
  cases: SuiteCase[];
}

/** Advice; only that with a tier costs points. */
export interface Advisory {
  id: string;
  tier?: "should" | "may";
  word?: RuleWord;
  message?: string;
}

export interface SuiteReport {
  schemaVersion: 1;
  kind: `${SuiteKind}-conformance`;
  name: string;
  passed: boolean;
  outcome: Outcome | "not-applicable";
  incompleteReason?: string;
  score?: Score;
  profile?: ProfileStamp;
  durationMs: number;
  groups: SuiteGroup[];
  advisories?: Advisory[];
}

/** The tally in words, as commands and reports show it. */
export function summaryOf({
  passed,
  applicable,
  failed,
  couldNotRun,
  notApplicable,
  pending,
}: Score): string {
  const parts = [
    `${passed} of ${applicable} checks passed`,
    `${failed} failed`,
    `${couldNotRun} could not run`,
    `${notApplicable} not applicable`,
    ...(pending > 0 ? [`${pending} not scored yet (newer than the profile)`] : []),
  ];
  return parts.join(", ");
}
