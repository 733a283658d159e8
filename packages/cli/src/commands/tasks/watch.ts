/** @module `fettle tasks watch`: follows a task to its end; the exit code says how it ended. */
import { interaction } from "../../connection/interactive.ts";
import { withServer } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { watchOutcome } from "../../tasks/watch-outcome.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { tasksWatchFlags } from "./flags.ts";

export async function run(call: Call<typeof tasksWatchFlags, NoArguments>): Promise<Outcome> {
  const { flags, print } = call;
  const options = interaction(call);
  return withServer(
    call,
    async ({ connection, plan }) => {
      const wire = requireWire(connection, flags.wire);
      const { timeoutMs } = plan;
      return watchOutcome({
        connection,
        wire,
        taskId: flags.taskId,
        timeoutMs,
        flags,
        handlers: options.handlers,
        print,
      });
    },
    { ...options, openEnded: true, endsWhenInterrupted: true },
  );
}
