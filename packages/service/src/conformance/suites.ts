/** @module The suites the service can run by itself on a saved server. One that is not here yet is told as not supported. */
import {
  appsClientCapabilities,
  protocolSuiteReportOf,
  runApps,
  runProtocol,
  runTasks,
  type SuiteReport,
  suiteReportOf,
} from "@fettle/checks";
import type { ConformanceSuite, hostedConformanceSuites } from "@fettle/contract";
import { connect } from "@fettle/mcp";
import type { Reach } from "../live/session.ts";

export interface SuiteCall {
  reach: Reach;
  /** Asked for by whoever started the run. */
  protocolVersion: string | undefined;
  signal: AbortSignal;
  onProgress: (progress: { done: number; total: number }) => void;
}

type RunSuite = (call: SuiteCall) => Promise<SuiteReport>;

const protocol: RunSuite = async ({ reach: { target, options }, protocolVersion, signal, onProgress }) =>
  protocolSuiteReportOf(
    await runProtocol(target, {
      protocolVersion,
      policy: options.policy,
      authorize: options.authorize,
      signal,
      onProgress,
    }),
  );

const apps: RunSuite = async ({ reach, protocolVersion, signal, onProgress }) => {
  const { target, options, timeoutMs } = reach;
  await using connection = await connect(target, {
    ...options,
    capabilities: appsClientCapabilities,
    timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    signal,
    ...(protocolVersion !== undefined && { protocolVersion }),
  });
  const report = await runApps(target, connection, { signal, onProgress });
  return suiteReportOf("apps", report.target, [{ label: `Apps ${report.protocolVersion}`, report }]);
};

/** Calls only a tool that says it is harmless, or those of the official suite: nobody is there to name one. */
const tasks: RunSuite = async ({ reach, protocolVersion, signal, onProgress }) => {
  const { target, options, timeoutMs } = reach;
  const report = await runTasks(target, {
    protocolVersion,
    policy: options.policy,
    authorize: options.authorize,
    timeoutMs,
    signal,
    onProgress,
  });
  return suiteReportOf("tasks", report.target, [{ label: `Tasks ${report.protocolVersion}`, report }]);
};

export const suites: Record<(typeof hostedConformanceSuites)[number], RunSuite> = { protocol, apps, tasks };

export function isHosted(kind: ConformanceSuite): kind is keyof typeof suites {
  return kind in suites;
}
