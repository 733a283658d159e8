/** @module `fettle cloud journeys calibrate`: begins a calibration, and with `--wait` shows what it came to. */
import { exitCodes } from "@fettle/contract/core";
import type { Calibration } from "@fettle/contract/visitors";
import { usageError } from "../../../cli-error.ts";
import { finders } from "../../../cloud/finders.ts";
import { inProject } from "../../../cloud/in-project.ts";
import { untilInterrupted } from "../../../interrupts.ts";
import type { Outcome } from "../../../output/printer.ts";
import { text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import { usualWaitMs, waitForEnd } from "../../../wait-for-run.ts";
import type { calibrateFlags } from "./calibration-flags.ts";
import { calibrationText } from "./calibration-text.ts";

type CalibrateCall = Call<typeof calibrateFlags, NoArguments>;

export async function run(call: CalibrateCall): Promise<Outcome> {
  const { flags, print, world } = call;
  if (flags.waitTimeout !== undefined && !flags.wait) throw usageError("--wait-timeout needs --wait.");
  const place = await inProject(call);
  const { client, projectId } = place;
  const environment =
    flags.environment === undefined ? undefined : await (await finders.environment(place))(flags.environment);
  const begun = await client.createCalibration({
    projectId,
    body: {
      ...(flags.scenario !== undefined && { scenarioId: flags.scenario }),
      ...(environment && { environmentId: environment.id ?? flags.environment }),
    },
  });
  if (!flags.wait) return { value: begun, human: () => calibrationText(begun) };
  const stop = new AbortController();
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => stop.abort());
  const done = print.progress(text`Playing ${begun.sessionsTotal} sessions again ...`);
  const waiting = {
    until: world.now() + (flags.waitTimeout ?? usualWaitMs),
    now: world.now,
    signal: stop.signal,
    nextCommand: `fettle cloud journeys calibration --calibration ${begun.id}`,
  };
  try {
    const read = () => client.getCalibration({ projectId, calibrationId: begun.id });
    const ended: Calibration = await waitForEnd(waiting, read, ({ status }) => status === "running");
    const exitCode = ended.status === "completed" ? exitCodes.ok : exitCodes.failed;
    return { value: ended, human: () => calibrationText(ended), exitCode };
  } finally {
    done();
    over.abort();
  }
}
