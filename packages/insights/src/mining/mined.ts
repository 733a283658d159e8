/** @module What mining a scope takes and gives. */
import type { ActionableFinding, InsightScope, InsightsEnvelope } from "@fettle/contract";
import type { ServerSnapshot } from "../observed/snapshot.ts";
import type { Named } from "../observed/unit.ts";

export interface MiningSetting {
  scope: InsightScope;
  /** What it belongs to over time: the suite, the project's swarms, the scenario. Not the run. */
  family: Named & { kind: string };
  /** Every one that a unit names. */
  snapshots: readonly ServerSnapshot[];
  /** What the scope before met, by server id; where there was one. */
  earlierSnapshots?: Readonly<Record<string, string>> | undefined;
}

/** A signal that fired; its findings are the remedies for it. */
export interface MinedSignal {
  fingerprint: string;
  detector: string;
  subject: Named & { kind: string };
  /** Units that showed it, of units that could have. */
  count: number;
  exercised: number;
  findingIds: string[];
}

export interface Mined {
  /** All of them, in order; the envelope cuts. */
  findings: ActionableFinding[];
  signals: MinedSignal[];
  coverage: InsightsEnvelope["coverage"];
  summary: string;
  omittedEvidence: number;
  isContractTruncated: boolean;
  /** More kinds of problems than are told apart; the rest was left out. */
  isOverflowing: boolean;
  /** For a signal of an earlier scope: how many units could have shown it now. Follow it with `count` 0 when it did not fire. */
  exercised(fingerprint: string): number;
}
