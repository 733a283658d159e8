/** @module What a directory's publisher is to a grade. */
import type { ReadinessKind, ReadinessLane, ReadinessStage } from "@fettle/contract/servers";
import type { ReadinessEvidence } from "./evidence.ts";
import type { ReadinessRule } from "./rule.ts";

/** A publisher: its rules, which of its lanes a submission has, and which of them each stage needs. The last stage is the headline. */
export interface Directory {
  kind: ReadinessKind;
  title: string;
  policySnapshotDate: string;
  rules: readonly ReadinessRule[];
  lanes(evidence: ReadinessEvidence): readonly ReadinessLane[];
  stages(evidence: ReadinessEvidence): readonly { stage: ReadinessStage; lanes: readonly ReadinessLane[] }[];
}
