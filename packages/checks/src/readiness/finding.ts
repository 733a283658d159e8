/** @module What a report says of one rule. */
import type { BadgeState, ReadinessFindingStatus } from "@fettle/contract/servers";
import type { ReadinessInput } from "./evidence.ts";
import type { ReadinessRule } from "./rule.ts";

export interface ReadinessFinding extends Omit<ReadinessRule, "judge" | "optIn"> {
  status: ReadinessFindingStatus;
  /** What was seen, where it is not as the rule wants it or the rule does not apply. */
  message?: string;
  notEvaluatedReason?: string;
  /** What to give so that it can be judged. */
  missingInput?: ReadinessInput;
  /** ISO 8601. */
  evaluatedAt: string;
  engineVersion: string;
  details?: Record<string, unknown>;
}

export interface ReadinessBadge {
  id: string;
  title: string;
  state: BadgeState;
}
