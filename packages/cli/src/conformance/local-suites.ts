/** @module The suites `conformance run` goes through, each on a connection of its own. */
import {
  appsClientCapabilities,
  protocolSuiteReportOf,
  runApps,
  runProtocol,
  runTasks,
  type SuiteKind,
  type SuiteReport,
  suiteReportOf,
} from "@fettle/checks";
import { connect, type Recorder } from "@fettle/mcp";
import type { Plan } from "../connection/open-server.ts";
import { authorizeFrom } from "../connection/renewal.ts";
import type { ProtocolVersion } from "../registry/connection-flags.ts";
import { version } from "../version.ts";
import type { RunProgress } from "./run-progress.ts";

export type LocalSuite = Exclude<SuiteKind, "oauth">;

export interface SuiteRun {
  plan: Plan;
  recorder: Recorder;
  protocolVersion: ProtocolVersion | undefined;
  progress: RunProgress;
}

export async function runLocalSuite(
  kind: LocalSuite,
  { plan, recorder, protocolVersion, progress }: SuiteRun,
): Promise<SuiteReport> {
  const { target, renewal, timeoutMs } = plan;
  const authorize = renewal && authorizeFrom(renewal, target, protocolVersion, recorder);
  const shared = { protocolVersion, recorder, authorize, checkerVersion: version, onProgress: progress.tell };
  if (kind === "protocol") return protocolSuiteReportOf(await runProtocol(target, shared));
  if (kind === "tasks") {
    const report = await runTasks(target, { ...shared, timeoutMs });
    return suiteReportOf("tasks", report.target, [{ label: `Tasks ${report.protocolVersion}`, report }]);
  }
  await using connection = await connect(target, {
    capabilities: appsClientCapabilities,
    recorder,
    timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(authorize && { authorize }),
  });
  const report = await runApps(target, connection, { onProgress: progress.tell });
  return suiteReportOf("apps", report.target, [{ label: `Apps ${report.protocolVersion}`, report }]);
}

/** Stands for a suite that found no way in, so that a report, a score and the history say so. */
export function unstartedSuite(kind: SuiteKind, target: string, reason: string): SuiteReport {
  return {
    schemaVersion: 1,
    kind: `${kind}-conformance`,
    name: target,
    passed: false,
    outcome: "incomplete",
    incompleteReason: `The ${kind} suite could not start: ${reason}`,
    durationMs: 0,
    groups: [
      {
        id: kind,
        title: `The ${kind} suite`,
        target,
        passed: false,
        durationMs: 0,
        summary: "could not start",
        cases: [
          {
            id: `${kind}-suite-start`,
            title: "The suite can start",
            category: "start",
            status: "skipped",
            skipReason: "could-not-run",
            durationMs: 0,
            error: { message: reason },
          },
        ],
      },
    ],
  };
}
