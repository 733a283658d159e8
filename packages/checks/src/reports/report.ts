/** @module A report for machines: cases with a verdict each, counted. One shape for everything that runs in CI. */

export interface ReportCase {
  id: string;
  title: string;
  category: string;
  passed: boolean;
  /** Neither passed nor failed, and why: nothing was shown, and CI shows it as skipped. */
  skipped?: string;
  classification?: string;
  durationMs?: number;
  error?: string;
  /** It failed, and somebody let it through for a while: it counts as passed, and CI shows it as skipped. */
  waiver?: { reason: string };
  /** What the case covers and nobody evaluated: its verdict says nothing about that. */
  unchecked?: string[];
  details?: Record<string, unknown>;
}

export interface ReportInput {
  /** What was run: `tools-call-validation`, `surface-check`. */
  kind: string;
  cases: ReportCase[];
  durationMs: number;
  metadata: Record<string, unknown>;
}

interface Tally {
  total: number;
  passed: number;
  failed: number;
  /** Only where something was. */
  skipped?: number;
}

export interface JsonSummary {
  schemaVersion: 1;
  kind: string;
  passed: boolean;
  summary: Tally & { byCategory: Record<string, Tally>; byClassification?: Record<string, Tally> };
  cases: ReportCase[];
  durationMs: number;
  metadata: Record<string, unknown>;
}

export function toJsonSummary({ kind, cases, durationMs, metadata }: ReportInput): JsonSummary {
  const classified = cases.filter(({ classification }) => classification !== undefined);
  return {
    schemaVersion: 1,
    kind,
    passed: cases.every(({ passed }) => passed),
    summary: {
      ...tally(cases),
      byCategory: tallyBy(cases, ({ category }) => category),
      ...(classified.length > 0 && {
        byClassification: tallyBy(classified, (item) => item.classification ?? ""),
      }),
    },
    cases,
    durationMs,
    metadata,
  };
}

function tallyBy(cases: readonly ReportCase[], keyOf: (item: ReportCase) => string): Record<string, Tally> {
  const groups = Object.groupBy(cases, keyOf);
  return Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, tally(group ?? [])]));
}

function tally(cases: readonly ReportCase[]): Tally {
  const passed = cases.filter((item) => item.passed).length;
  const skipped = cases.filter((item) => !item.passed && item.skipped !== undefined).length;
  const failed = cases.length - passed - skipped;
  return { total: cases.length, passed, failed, ...(skipped > 0 && { skipped }) };
}
