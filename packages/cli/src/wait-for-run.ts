/** @module Waiting for something that goes on in the service, through its outages, until it has ended or the time is over. */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "@fettle/contract/core";
import { CliError, toCliError } from "./cli-error.ts";

/** A short run is told soon; a long one is not asked after more often than this. */
const pollMs = { first: 250, growth: 1.5, most: 3_000 };
/** A service that is started anew, or moved, loses no run: it is away for less than this. */
const patientMs = 120_000;
export const usualWaitMs = 600_000;

export interface Waiting {
  until: number;
  now(): number;
  signal: AbortSignal;
  /** How to look at it later. */
  nextCommand: string;
}

export async function waitForEnd<Run>(
  waiting: Waiting,
  ask: () => Promise<Run>,
  isOpen: (run: Run) => boolean,
): Promise<Run> {
  for (let wait = pollMs.first; ; wait = longer(wait)) {
    const run = await outlastingOutages(waiting, ask);
    if (!isOpen(run)) return run;
    await rest(waiting, wait);
  }
}

const longer = (wait: number) => Math.min(wait * pollMs.growth, pollMs.most);

/** Asks again while nobody answers, or nobody can. */
export async function outlastingOutages<Told>(waiting: Waiting, ask: () => Promise<Told>): Promise<Told> {
  const since = waiting.now();
  for (let wait = pollMs.first; ; wait = longer(wait)) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error) || waiting.now() - since >= patientMs) throw toCliError(error);
    }
    await rest(waiting, wait);
  }
}

const mayPass = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

async function rest({ until, now, signal, nextCommand }: Waiting, wait: number): Promise<void> {
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
