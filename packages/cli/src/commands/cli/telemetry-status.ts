/** @module `fettle telemetry status`: Shows the effective state; reads only. */
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import { telemetryOutcome } from "../../telemetry/outcome.ts";
import { readTelemetry } from "../../telemetry/state.ts";

export async function run({ world, global }: Call<typeof noFlags, NoArguments>): Promise<Outcome> {
  return telemetryOutcome(await readTelemetry(world, global.noTelemetry));
}
