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
import { checkTime, type Deadline } from "../connection/deadline.ts";
import type { ProtocolVersion } from "../connection/flags.ts";
import type { Plan } from "../connection/open-server.ts";
import { authorizeFrom } from "../connection/renewal.ts";
import { version } from "../version.ts";
import type { RunProgress } from "./run-progress.ts";

export type LocalSuite = Exclude<SuiteKind, "oauth">;

export interface SuiteRun {
  plan: Plan;
  recorder: Recorder;
  protocolVersion: ProtocolVersion | undefined;
  progress: RunProgress;
  /** Of the whole command. */
  deadline: Deadline;
}

export async function runLocalSuite(
  kind: LocalSuite,
  { plan, recorder, protocolVersion, progress, deadline }: SuiteRun,
): Promise<SuiteReport> {
  const { target, renewal } = plan;
  const { signal } = deadline;
  const timeoutMs = checkTime(deadline.timeoutMs);
  const authorize = renewal && authorizeFrom(renewal, target, protocolVersion, recorder);
  const shared = {
    protocolVersion,
    recorder,
    authorize,
    checkerVersion: version,
    onProgress: progress.tell,
    signal,
  };
  if (kind === "protocol")
    return protocolSuiteReportOf(await runProtocol(target, { ...shared, checkTimeoutMs: timeoutMs }));
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
    signal,
  });
  const report = await runApps(target, connection, {
    checkTimeoutMs: timeoutMs,
    onProgress: progress.tell,
    signal,
  });
  return suiteReportOf("apps", report.target, [{ label: `Apps ${report.protocolVersion}`, report }]);
}
