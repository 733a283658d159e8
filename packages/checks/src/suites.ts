/** @module The conformance suites, each one object: what it checks, which of that counts, what a run would be about, and the run. */
import { connect, type Target } from "@fettle/mcp";
import type { AppsCheck } from "./apps/apps-check.ts";
import {
  type AppsOptions,
  type AppsReport,
  appsChecks,
  appsClientCapabilities,
  runApps,
} from "./apps/run-apps.ts";
import type { OauthCheck } from "./oauth/oauth-check.ts";
import { oauthChecks } from "./oauth/registry.ts";
import { type OauthRun, type OauthRunOptions, runOauth } from "./oauth/run-oauth.ts";
import { protocolProfiles } from "./protocol/profiles.ts";
import type { ProtocolCheck } from "./protocol/protocol-check.ts";
import type { ProtocolReport } from "./protocol/protocol-report.ts";
import { protocolChecks } from "./protocol/registry.ts";
import { type ProtocolOptions, runProtocol } from "./protocol/run-protocol.ts";
import { tasksProfiles } from "./tasks/profiles.ts";
import { runTasks, type TasksOptions, type TasksReport, tasksChecks } from "./tasks/run-tasks.ts";
import type { TasksCheck } from "./tasks/tasks-check.ts";
import type { Profile } from "./verdict/profile.ts";
import { type RunReport, suiteReportOf } from "./verdict/run-report.ts";
import { selectChecks } from "./verdict/select-checks.ts";
import type { SuiteKind, SuiteReport } from "./verdict/suite-report.ts";

interface Suite<Check, Reach, Options, Run> {
  /** How people call it. */
  title: string;
  checks: readonly Check[];
  /** Which checks count, by date; without one, all do. */
  profiles?: readonly [Profile, ...Profile[]];
  /** The checks a run would be about. Refuses what cannot be meant, before anything is touched. */
  plan(options: Options): readonly Check[];
  run(reach: Reach, options: Options): Promise<Run>;
}

/** The way to a server, as whoever asks has it. */
type ReachOptions = Pick<ProtocolOptions, "policy" | "authorize" | "recorder">;
interface ServerReach extends ReachOptions {
  target: Target;
  /** Longest wait for one answer. */
  timeoutMs?: number | undefined;
}

const protocol: Suite<
  ProtocolCheck,
  ServerReach,
  Omit<ProtocolOptions, keyof ReachOptions>,
  ProtocolReport
> = {
  title: "Protocol",
  checks: protocolChecks,
  profiles: protocolProfiles,
  plan: (options) => selectChecks(protocolChecks, options),
  run: ({ target, timeoutMs: _answers, ...reach }, options) => runProtocol(target, { ...options, ...reach }),
};

interface AppsSuiteOptions extends AppsOptions {
  protocolVersion?: string | undefined;
}

const apps: Suite<AppsCheck, ServerReach, AppsSuiteOptions, AppsReport> = {
  title: "Apps",
  checks: appsChecks,
  plan: (options) => selectChecks(appsChecks, options),
  async run({ target, timeoutMs, policy, authorize, recorder }, { protocolVersion, ...options }) {
    await using connection = await connect(target, {
      capabilities: appsClientCapabilities,
      ...(timeoutMs && { timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs } }),
      ...(protocolVersion !== undefined && { protocolVersion }),
      ...(policy && { policy }),
      ...(authorize && { authorize }),
      ...(recorder && { recorder }),
      ...(options.signal && { signal: options.signal }),
    });
    return await runApps(target, connection, options);
  },
};

const tasks: Suite<TasksCheck, ServerReach, Omit<TasksOptions, keyof ServerReach>, TasksReport> = {
  title: "Tasks",
  checks: tasksChecks,
  profiles: tasksProfiles,
  plan: (options) => selectChecks(tasksChecks, options),
  run: ({ target, ...reach }, options) => runTasks(target, { ...options, ...reach }),
};

type OauthReach = Pick<OauthRunOptions, "serverUrl" | "headers" | "policy">;

const oauth: Suite<OauthCheck, OauthReach, Omit<OauthRunOptions, keyof OauthReach>, OauthRun> = {
  title: "OAuth",
  checks: oauthChecks,
  plan: ({ conformanceChecks }) => (conformanceChecks ? oauthChecks : []),
  run: (reach, options) => runOauth({ ...options, ...reach }),
};

/**
 * @example
 * const run = await suites.protocol.run({ target: parseTarget({ url: "http://127.0.0.1:3001/mcp" }) }, {});
 * const report = suiteReportOfRun("protocol", run);
 */
export const suites = { protocol, apps, tasks, oauth } satisfies Record<SuiteKind, unknown>;

/** One run as the report for files, CI and the service. A run that never began has no version to be called by. */
export function suiteReportOfRun(kind: SuiteKind, run: RunReport): SuiteReport {
  const { title } = suites[kind];
  const label = "error" in run ? title : `${title} ${run.protocolVersion}`;
  return suiteReportOf(kind, run.target, [{ label, report: run }]);
}
