/** @module One run of the apps suite from flags, or from what a suite file says in their place. */
import {
  type AppsOptions,
  type AppsReport,
  appsClientCapabilities,
  runApps,
  selectApps,
} from "@fettle/checks";
import { isObject, type JsonObject } from "@fettle/mcp";
import { asUsageError } from "../connection/failure.ts";
import { planConnection, type ServerCall, withPlan } from "../connection/open-server.ts";
import type { Outcome } from "../output/printer.ts";
import { runProgress } from "./run-progress.ts";

export async function judgeApps(
  call: ServerCall,
  options: AppsOptions,
  conclude: (report: AppsReport) => Outcome,
): Promise<Outcome> {
  try {
    selectApps(options);
  } catch (error) {
    throw asUsageError(error);
  }
  const planned = await planConnection(call);
  const plan = { ...planned, capabilities: withWidgets(planned.capabilities) };
  return withPlan(call, plan, async ({ connection, deadline: { signal } }) => {
    using progress = runProgress(call, plan.facts.label);
    const report = await runApps(plan.target, connection, { ...options, signal, onProgress: progress.tell });
    progress.done();
    return conclude(report);
  });
}

/** Whatever else is declared, widgets are: some servers offer them only to clients that show them. */
function withWidgets(capabilities: JsonObject | undefined): JsonObject {
  const extensions = isObject(capabilities?.extensions) ? capabilities.extensions : {};
  return { ...capabilities, extensions: { ...extensions, ...appsClientCapabilities.extensions } };
}
