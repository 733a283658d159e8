/** @module `fettle cloud journeys run`: launches a journey, and with `--wait` exits by how its sessions went. */
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import type { JourneyRunDetail } from "@fettle/contract/visitors";
import { usageError } from "../../../cli-error.ts";
import { finders } from "../../../cloud/finders.ts";
import { inProject } from "../../../cloud/in-project.ts";
import { untilInterrupted } from "../../../interrupts.ts";
import type { Outcome } from "../../../output/printer.ts";
import { lines, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import { usualWaitMs, waitForEnd } from "../../../wait-for-run.ts";
import type { journeyRunFlags } from "./flags.ts";

type RunCall = Call<typeof journeyRunFlags, NoArguments>;

export async function run(call: RunCall): Promise<Outcome> {
  const { flags, print } = call;
  if (flags.journey === undefined) throw usageError("--journey is required.");
  if (flags.waitTimeout !== undefined && !flags.wait) throw usageError("--wait-timeout needs --wait.");
  const place = await inProject(call);
  const { client, projectId } = place;
  const { id: journeyId } = await (await finders.journey(place))(flags.journey);
  const environmentIds: string[] = [];
  if (flags.environment.length > 0) {
    const find = await finders.environment(place);
    for (const name of flags.environment) environmentIds.push((await find(name)).id);
  }
  const body = {
    ...(flags.wave !== undefined && { waveId: flags.wave }),
    ...(environmentIds.length > 0 && { environmentIds }),
  };
  const key = flags.idempotencyKey;
  const launched = await client.launchJourneyRun(
    { projectId, journeyId: journeyId ?? flags.journey, body },
    key === undefined ? {} : { idempotencyKey: key },
  );
  const started = text`Run ${launched.id} (wave ${launched.waveId})${launched.deduped ? ", started before" : ""}`;
  if (!flags.wait) return { value: launched, human: () => started };
  print.note(started);
  const ended = await watch(call, place, launched.id);
  return { value: ended, human: () => told(ended), exitCode: verdictOf(ended) };
}

async function watch(
  { flags, print, world }: RunCall,
  { client, projectId }: Awaited<ReturnType<typeof inProject>>,
  runId: string,
): Promise<JourneyRunDetail> {
  const stop = new AbortController();
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => stop.abort());
  let done = print.progress(text`Waiting for ${runId} ...`);
  let settled = 0;
  const waiting = {
    until: world.now() + (flags.waitTimeout ?? usualWaitMs),
    now: world.now,
    signal: stop.signal,
    nextCommand: `fettle cloud journeys status --run ${runId}`,
  };
  const read = async () => {
    const seen = await client.getJourneyRun({ projectId, runId });
    const { pending, running } = seen.counts;
    const now = seen.sessionsTotal - pending - running;
    if (now > settled) {
      settled = now;
      done();
      done = print.progress(text`${now} of ${seen.sessionsTotal} sessions have ended ...`);
    }
    return seen;
  };
  try {
    return await waitForEnd(waiting, read, ({ status }) => status === "running");
  } finally {
    done();
    over.abort();
  }
}

const verdicts: Record<JourneyRunDetail["displayStatus"], ExitCode> = {
  completed: exitCodes.ok,
  partial: exitCodes.failed,
  failed: exitCodes.failed,
  rate_limited: exitCodes.noVerdict,
  canceled: exitCodes.noVerdict,
  running: exitCodes.noVerdict,
};

/** Of what fell silent nothing is known. */
const verdictOf = ({ displayStatus, stale }: JourneyRunDetail) =>
  stale ? exitCodes.noVerdict : verdicts[displayStatus];

function told({ displayStatus, counts, sessionsTotal, goalCompletion, error, attempts }: JourneyRunDetail) {
  const goal =
    goalCompletion === null || goalCompletion.gradedCount === 0
      ? []
      : [
          text`Goal reached in ${goalCompletion.passedCount} of ${goalCompletion.gradedCount} graded sessions`,
        ];
  const why = error ?? attempts.find((attempt) => attempt.error !== null)?.error;
  return lines([
    text`The run is ${displayStatus}: ${counts.succeeded} of ${sessionsTotal} sessions were played`,
    ...goal,
    ...(why ? [text`${why}`] : []),
  ]);
}
