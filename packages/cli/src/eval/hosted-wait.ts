/** @module Waiting for runs of the service, and reading all of their repetitions. */
import type { EvalIteration, EvalRunDetail } from "@fettle/contract/evals";
import { only } from "@fettle/contract/formats";
import { type JudgedRun, judgedRunOf } from "@fettle/evals";
import { type CliError, toCliError } from "../cli-error.ts";
import { untilInterrupted } from "../interrupts.ts";
import { count } from "../output/table.ts";
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";
import { outlastingOutages, usualWaitMs, type Waiting, waitForEnd } from "../wait-for-run.ts";
import type { Place } from "./hosted-target.ts";

const open: ReadonlySet<string> = new Set(["pending", "running"]);
export const isOpen = ({ status }: Pick<EvalRunDetail, "status">): boolean => open.has(status);

/** What is known of a run when nobody waits for it any longer. */
export interface Watched {
  runId: string;
  /** Set once it has ended. */
  ended?: EvalRunDetail;
  /** The last that was seen of it, ended or not. */
  seen?: EvalRunDetail;
  judged?: JudgedRun;
  /** Why it was lost from sight, or could not be read whole. */
  errors: CliError[];
}

/** All of them side by side, until each has ended or the time is over. What goes wrong with one is kept with it. */
export async function watchRuns(
  { print, world }: Pick<Call, "print" | "world">,
  place: Place,
  runIds: readonly string[],
  waitTimeout: number | undefined,
): Promise<{ runs: Watched[]; isInterrupted: boolean }> {
  const stop = new AbortController();
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => stop.abort());
  const what = only(runIds) ?? count(runIds.length, "run");
  const done = print.progress(text`Waiting for ${what} ...`);
  const until = world.now() + (waitTimeout ?? usualWaitMs);
  const waiting = (runId: string): Waiting => ({
    until,
    now: world.now,
    signal: stop.signal,
    nextCommand: `fettle cloud eval status --run ${runId}`,
  });
  try {
    const runs = await Promise.all(runIds.map((runId) => watchRun(place, runId, waiting(runId))));
    return { runs, isInterrupted: stop.signal.aborted };
  } finally {
    done();
    over.abort();
  }
}

async function watchRun(place: Place, runId: string, waiting: Waiting): Promise<Watched> {
  const errors: CliError[] = [];
  const missed = (thrown: unknown) => {
    errors.push(toCliError(thrown));
    return undefined;
  };
  const { client, projectId } = place;
  const read = () => client.getEvalRun({ projectId, runId });
  const ended = await waitForEnd(waiting, read, isOpen).catch(missed);
  // What is known of a run that was lost from sight is worth a report too.
  const seen = ended ?? (await read().catch(() => undefined));
  // A run that has ended is read however late it is.
  const reading = { ...waiting, until: Number.POSITIVE_INFINITY };
  const judged = seen && (await outlastingOutages(reading, () => judgeRun(place, seen)).catch(missed));
  return { runId, ...(ended && { ended }), ...(seen && { seen }), ...(judged && { judged }), errors };
}

/** The run as reports and gates take it, with all its repetitions. */
export async function judgeRun(place: Place, run: EvalRunDetail): Promise<JudgedRun> {
  return judgedRunOf(run, await readIterations(place, run.id));
}

/** Page by page. */
async function readIterations({ client, projectId }: Place, runId: string): Promise<EvalIteration[]> {
  const all: EvalIteration[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const { items, nextCursor } = await client.listEvalRunIterations({ projectId, runId, query });
    all.push(...items);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}
