/** @module Waiting for runs of the service, and reading all of their repetitions. */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type EvalIteration, type EvalRunDetail } from "@fettle/contract";
import { type JudgedRun, judgedRunOf } from "@fettle/evals";
import { CliError, toCliError } from "../cli-error.ts";
import { untilInterrupted } from "../interrupts.ts";
import { count } from "../output/table.ts";
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";
import type { Place } from "./hosted-target.ts";

/** A short run is told soon; a long one is not asked after more often than this. */
const pollMs = { first: 250, growth: 1.5, most: 3_000 };
/** A service that is started anew, or moved, loses no run: it is away for less than this. */
const patientMs = 120_000;
export const usualWaitMs = 600_000;

const open: ReadonlySet<string> = new Set(["pending", "running"]);
export const isOpen = ({ status }: Pick<EvalRunDetail, "status">): boolean => open.has(status);

interface Waiting {
  until: number;
  now(): number;
  signal: AbortSignal;
}

async function waitForRun(
  { client, projectId }: Place,
  runId: string,
  waiting: Waiting,
): Promise<EvalRunDetail> {
  for (let wait = pollMs.first; ; wait = longer(wait)) {
    const run = await outlastingOutages(runId, waiting, () => client.getEvalRun({ projectId, runId }));
    if (!isOpen(run)) return run;
    await rest(runId, waiting, wait);
  }
}

const longer = (wait: number) => Math.min(wait * pollMs.growth, pollMs.most);

/** Asks again while nobody answers, or nobody can. */
async function outlastingOutages<Told>(
  runId: string,
  waiting: Waiting,
  ask: () => Promise<Told>,
): Promise<Told> {
  const since = waiting.now();
  for (let wait = pollMs.first; ; wait = longer(wait)) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error) || waiting.now() - since >= patientMs) throw toCliError(error);
    }
    await rest(runId, waiting, wait);
  }
}

const mayPass = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

async function rest(runId: string, { until, now, signal }: Waiting, wait: number): Promise<void> {
  const nextCommand = `fettle cloud eval status --run ${runId}`;
  const left = until - now();
  if (left <= 0) {
    const message = "The run had not ended when the time to wait was over; it goes on.";
    throw new CliError("TIMEOUT", message, { nextCommand });
  }
  await delay(Math.min(wait, left), undefined, { signal }).catch(() => {});
  if (signal.aborted) {
    throw new CliError("OPERATIONAL_ERROR", "Not watched any more; the run goes on.", { nextCommand });
  }
}

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
  const what = runIds.length === 1 ? runIds[0]! : count(runIds.length, "run");
  const done = print.progress(text`Waiting for ${what} ...`);
  const until = world.now() + (waitTimeout ?? usualWaitMs);
  const waiting = { until, now: world.now, signal: stop.signal };
  try {
    const runs = await Promise.all(runIds.map((runId) => watchRun(place, runId, waiting)));
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
  const ended = await waitForRun(place, runId, waiting).catch(missed);
  // What is known of a run that was lost from sight is worth a report too.
  const { client, projectId } = place;
  const seen = ended ?? (await client.getEvalRun({ projectId, runId }).catch(() => undefined));
  // A run that has ended is read however late it is.
  const reading = { ...waiting, until: Number.POSITIVE_INFINITY };
  const judged = seen && (await outlastingOutages(runId, reading, () => judgeRun(place, seen)).catch(missed));
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
