/** @module `fettle tasks result`: what a finished task came to. */
import { exitCodes } from "@fettle/contract/core";
import { getTaskResult, isMcpError } from "@fettle/mcp";
import { operationalError } from "../../cli-error.ts";
import { withServer } from "../../connection/open-server.ts";
import { toolResultText } from "../../connection/tool-result.ts";
import type { Outcome } from "../../output/printer.ts";
import { shellWords } from "../../output/shell-words.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { taskFlags } from "./flags.ts";

export async function run(call: Call<typeof taskFlags, NoArguments>): Promise<Outcome> {
  const { taskId, wire } = call.flags;
  return withServer(call, async ({ connection, deadline }) => {
    requireWire(connection, wire);
    const startedAt = performance.now();
    const result = await getTaskResult(connection, taskId, { signal: deadline.signal }).catch(
      unfinished(taskId),
    );
    return {
      value: result,
      human: () => toolResultText(result, Math.round(performance.now() - startedAt)),
      exitCode: result.isError === true ? exitCodes.failed : exitCodes.ok,
    };
  });
}

/** The server answered well: there is nothing wrong but the time. */
function unfinished(taskId: string) {
  return (error: unknown): never => {
    if (!isMcpError(error, "NO_ANSWER")) throw error;
    const watch = shellWords(["fettle", "tasks", "watch", "--task-id", taskId]);
    throw operationalError(error.message, { hint: `Wait for it with \`${watch}\`.`, cause: error });
  };
}
