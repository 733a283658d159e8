/** @module After a command: with telemetry enabled and FETTLE_TELEMETRY_DEBUG=1, shows on stderr what would be sent. This build sends nothing. */
import type { World } from "../world.ts";
import { commandEvent, type FinishedRun } from "./event.ts";
import { readTelemetry } from "./state.ts";

/** Nothing is read or done without the variable: there is no endpoint to send to. */
export async function reportRun(
  world: World,
  noTelemetry: boolean,
  run: Omit<FinishedRun, "env" | "installId">,
) {
  if (world.env.FETTLE_TELEMETRY_DEBUG !== "1" || run.command.startsWith("telemetry")) return;
  const { enabled, installId } = await readTelemetry(world, noTelemetry);
  if (!enabled) return;
  world.stderr.write(`telemetry: ${JSON.stringify(commandEvent({ ...run, installId, env: world.env }))}\n`);
}
