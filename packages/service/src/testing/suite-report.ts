/** @module Reports of conformance suites for tests, by which checks came out how. */
import type { ConformanceSuite, ConformanceSuiteReport } from "@fettle/contract/servers";

export interface WantedReport {
  kind?: ConformanceSuite;
  passed?: string[];
  failed?: string[];
  couldNotRun?: string[];
  notApplicable?: string[];
  pending?: string[];
  advisories?: { id: string; tier: "should" | "may" }[];
  /** Anything else, said over it. */
  over?: Record<string, unknown>;
}

/** What it says of its own score and outcome is wrong on purpose: nobody should believe it. */
export function suiteReport(wanted: WantedReport = {}): ConformanceSuiteReport {
  const { kind = "protocol", passed = [], failed = [], couldNotRun = [], notApplicable = [] } = wanted;
  const common = (id: string) => ({ id, title: `Check ${id}`, category: "core", durationMs: 3 });
  const why = (message: string) => ({ error: { message }, details: { sent: { method: "ping" } } });
  return {
    schemaVersion: 1,
    kind: `${kind}-conformance`,
    name: "https://mcp.example/mcp",
    passed: true,
    outcome: "passed",
    score: { score: 100 },
    profile: {
      profileId: `mcp-${kind}`,
      profileVersion: "2026-10-01",
      protocolVersion: "2025-11-25",
      pendingCheckIds: wanted.pending ?? [],
    },
    durationMs: 1234,
    groups: [
      {
        id: "2025-11-25",
        title: "Protocol 2025-11-25",
        target: "https://mcp.example/mcp",
        passed: true,
        durationMs: 1234,
        cases: [
          ...passed.map((id) => ({ ...common(id), status: "passed" as const })),
          ...failed.map((id) => ({
            ...common(id),
            status: "failed" as const,
            ...why("It answered wrongly."),
          })),
          ...couldNotRun.map((id) => ({
            ...common(id),
            status: "skipped" as const,
            skipReason: "could-not-run" as const,
            ...why("It hung up."),
          })),
          ...notApplicable.map((id) => ({
            ...common(id),
            status: "skipped" as const,
            skipReason: "not-applicable" as const,
          })),
        ],
      },
    ],
    ...(wanted.advisories && { advisories: wanted.advisories }),
    ...wanted.over,
  };
}
