/** @module What a server's history is held to; stands by itself because pages quote it. */
import { KiB } from "../../core/limits/units.ts";

export const serverHistoryLimits = {
  listed: { max: 200, fallback: 50 },
  /** How long entries are kept where nobody has said, and how many of one server. */
  days: { min: 1, max: 3_650, fallback: 30 },
  /** How long runs may be kept; where nobody has said, they are kept until somebody deletes them. */
  runDays: { min: 1, max: 3_650 },
  entries: { min: 1, max: 1_000_000, fallback: 5_000 },
  /** Of one entry: more is left out, and the entry says so. */
  parametersBytes: 64 * KiB,
  resultBytes: 64 * KiB,
  recordingBytes: 64 * KiB,
  summaryLength: 300,
  subjectLength: 1_024,
  codeLength: 100,
  /** Saved calls of one server. */
  calls: 500,
  callNameLength: 120,
  /** Differences between two results that are told. */
  changes: 200,
} as const;
