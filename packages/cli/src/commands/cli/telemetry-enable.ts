/** @module `fettle telemetry enable`: Opts in. */
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import { telemetryOutcome } from "../../telemetry/outcome.ts";
import { setTelemetry } from "../../telemetry/state.ts";

export async function run({ world, global }: Call<typeof noFlags, NoArguments>): Promise<Outcome> {
  return telemetryOutcome(await setTelemetry(world, global.noTelemetry, true));
}
