/** @module `fettle tasks result`: what a finished task came to. */
import { exitCodes } from "@fettle/contract";
import { getTaskResult } from "@fettle/mcp";
import { withServer } from "../../connection/open-server.ts";
import { toolResultText } from "../../connection/tool-result.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { taskFlags } from "./index.ts";

export async function run(call: Call<typeof taskFlags, NoArguments>): Promise<Outcome> {
  const { taskId, wire } = call.flags;
  return withServer(call, async ({ connection, deadline }) => {
    requireWire(connection, wire);
    const startedAt = performance.now();
    const result = await getTaskResult(connection, taskId, { signal: deadline.signal });
    return {
      value: result,
      human: () => toolResultText(result, Math.round(performance.now() - startedAt)),
      exitCode: result.isError === true ? exitCodes.failed : exitCodes.ok,
    };
  });
}
