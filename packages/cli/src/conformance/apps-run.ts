/** @module One run of the apps suite from flags, or from what a suite file says in their place. */
import {
  type AppsOptions,
  type AppsReport,
  appsClientCapabilities,
  type BootWidgets,
  runApps,
  suites,
  type UnstartedRun,
} from "@fettle/checks";
import { isObject, type JsonObject, type Target } from "@fettle/mcp";
import { checkTime } from "../connection/deadline.ts";
import { asUsageError } from "../connection/failure.ts";
import { type OpenServer, planConnection, type ServerCall, withPlan } from "../connection/open-server.ts";
import { text } from "../output/text.ts";
import { unsandboxed } from "../widgets/place-flags.ts";
import { runOrOutage } from "./judged-suite.ts";
import { runProgress } from "./run-progress.ts";

export interface JudgedApps {
  report: AppsReport | UnstartedRun;
  /** What `--format json` prints. */
  value: unknown;
}

export async function judgeApps(
  call: ServerCall,
  { boot, ...options }: AppsOptions & { boot?: BootFlags | undefined },
  timeLeft: () => number | undefined = () => call.global.timeout,
): Promise<JudgedApps> {
  try {
    suites.apps.plan(options);
  } catch (error) {
    throw asUsageError(error);
  }
  const planned = await planConnection(call);
  const plan = { ...planned, capabilities: withWidgets(planned.capabilities) };
  const seen: AppsReport[] = [];
  const work = async ({ connection, deadline: { signal, timeoutMs, remainingMs } }: OpenServer) => {
    using progress = runProgress(call, plan.facts.label);
    const bootWidgets = boot && (await booting(call, boot, plan.target, remainingMs));
    const report = await runApps(plan.target, connection, {
      ...options,
      checkTimeoutMs: checkTime(timeoutMs),
      signal,
      bootWidgets,
      onProgress: progress.tell,
    });
    progress.done();
    seen.push(report);
    return { value: report, human: () => text`${report.summary}` };
  };
  const subject = {
    kind: "apps" as const,
    target: plan.facts.label,
    protocolVersion: call.flags.protocolVersion,
  };
  const outcome = await runOrOutage(call, subject, async () => {
    const timeout = timeLeft();
    const promisedMs = call.global.timeout;
    const timed = { ...call, global: { ...call.global, timeout } };
    const timeoutMs = promisedMs ?? timeout ?? plan.timeoutMs;
    return withPlan(timed, { ...plan, timeoutMs }, work, { isSuite: true, promisedMs });
  });
  const [report] = seen;
  // With --rpc the outcome's value also holds the messages.
  return report && "human" in outcome
    ? { report, value: outcome.value }
    : { report: outcome as UnstartedRun, value: outcome };
}

/** Which browser shows the widgets. */
export interface BootFlags {
  browser?: string | undefined;
  noSandbox?: boolean | undefined;
}

async function booting(
  { world, print }: ServerCall,
  flags: BootFlags,
  target: Target,
  remainingMs: () => number,
): Promise<BootWidgets> {
  const { bootWidgetsIn } = await import("../widgets/boot.ts");
  const onUnsandboxed = () => print.warn(unsandboxed);
  return bootWidgetsIn({ ...flags, world, target, remainingMs, onUnsandboxed });
}

/** Whatever else is declared, widgets are: some servers offer them only to clients that show them. */
export function withWidgets(capabilities: JsonObject | undefined): JsonObject {
  const extensions = isObject(capabilities?.extensions) ? capabilities.extensions : {};
  return { ...capabilities, extensions: { ...extensions, ...appsClientCapabilities.extensions } };
}
