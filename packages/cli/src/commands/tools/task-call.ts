/** @module `fettle tools call --task`: asks for a task instead of a result, and watches it when told to. */
import { type JsonObject, taskOf } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { interaction } from "../../connection/interactive.ts";
import { type OpenServer, type Plan, withPlan } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import { toolResultText } from "../../connection/tool-result.ts";
import { outline } from "../../output/outline.ts";
import type { Outcome } from "../../output/printer.ts";
import { watchOutcome } from "../../tasks/watch-outcome.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { ToolsCall } from "./flags.ts";

export async function taskCall(
  call: ToolsCall,
  plan: Plan,
  toolName: string,
  toolArgs: JsonObject,
): Promise<Outcome> {
  const options = interaction(call);
  const work = (server: OpenServer) => startTask(call, server, toolName, toolArgs, options.handlers);
  return withPlan(call, plan, work, {
    ...options,
    ...(call.flags.taskWatch && { openEnded: true, endsWhenInterrupted: true }),
  });
}

async function startTask(
  { flags, print }: ToolsCall,
  { connection, plan, deadline }: OpenServer,
  toolName: string,
  toolArgs: JsonObject,
  handlers: Parameters<typeof watchOutcome>[0]["handlers"],
): Promise<Outcome> {
  const wire = requireWire(connection, flags.wire);
  const startedAt = performance.now();
  const answer = await connection.callTool(toolName, toolArgs, {
    task: flags.taskTtl === undefined ? {} : { ttl: flags.taskTtl },
    signal: deadline.signal,
    timeouts: { idleMs: plan.timeoutMs, totalMs: plan.timeoutMs },
  });
  const durationMs = Math.round(performance.now() - startedAt);
  const { taskId } = taskOf(answer);
  if (typeof taskId !== "string") {
    print.note("The server answered at once, without a task.");
    return {
      value: { ...answer, _durationMs: durationMs },
      human: () => toolResultText(answer, durationMs),
    };
  }
  if (flags.taskWatch) {
    const { timeoutMs } = plan;
    return watchOutcome({ connection, wire, taskId, timeoutMs, flags, handlers, print });
  }
  return {
    value: { ...answer, _durationMs: durationMs },
    human: () => outline(taskOf(answer)),
    hint: suggest(["tasks", "watch"], ["--task-id", taskId]),
  };
}

/** Each flag that only means something beside another. */
export function refuseTaskConflicts({ flags }: ToolsCall): void {
  const typed = (table: Record<string, unknown>) =>
    Object.entries(table).flatMap(([name, value]) => (value === undefined || value === false ? [] : [name]));
  if (!flags.task) {
    const stray = typed({
      "--task-ttl": flags.taskTtl,
      "--task-watch": flags.taskWatch,
      "--wire": flags.wire,
    });
    if (stray.length > 0) throw usageError(`${stray.join(", ")} only goes with --task.`);
  }
  if (!flags.taskWatch) {
    const stray = typed({
      "--duration-ms": flags.durationMs,
      "--poll-interval-ms": flags.pollIntervalMs,
      "--max-input-rounds": flags.maxInputRounds,
      "--max-consecutive-errors": flags.maxConsecutiveErrors,
    });
    if (stray.length > 0) throw usageError(`${stray.join(", ")} only goes with --task-watch.`);
  }
  if (!flags.task) return;
  const rivals = typed({
    "--ui": flags.ui,
    "--reporter": flags.reporter,
    "--validate-response": flags.validateResponse,
    "--expect-success": flags.expectSuccess,
    "--mcp-header": flags.mcpHeader.length > 0,
  });
  if (rivals.length > 0) throw usageError(`--task cannot be combined with ${rivals.join(", ")}.`);
}
