/** @module How a kind of job is said: its name, what goes in, how often it may fail, and what it does. */
import type { JobId } from "@fettle/contract/core";
import type { z } from "zod";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import type { Log } from "../log/log.ts";

export interface JobDefinition<Input = unknown> {
  /** Stored with each job: changing it orphans those that wait. */
  name: string;
  input: z.ZodType<Input>;
  retry: {
    /** How often it may fail before it is parked. */
    attempts: number;
    /** Before the second try; doubled for each further one, up to 15 minutes. */
    delayMs: number;
  };
  /** The longest one try may take; then its signal is aborted and the try has failed. */
  timeoutMs: number;
  /** Minutes, usually: it gets slots of its own, half as many as there are for the others. */
  takesLong?: true;
  /** Runs it again and again, once per tick for all processes together. */
  schedule?: { cron: string; timezone?: string; input: Input };
  run(call: JobCall<Input>): Promise<void>;
}

/** What a running job is given. A job may run again after a crash, so its effects must be safe to repeat, or be in `finish`. */
export interface JobCall<Input> {
  app: App;
  id: JobId;
  input: Input;
  /** 1 for the first time it was taken up. */
  claim: number;
  /** Aborted when the job is cancelled, takes too long, or is no longer ours; pass it to everything that waits. */
  signal: AbortSignal;
  log: Log;
  /**
   * Makes the job's effect and its end one: both are committed, or neither. Throws when the job is no longer ours, so
   * that of two workers that believe in a job only one has an effect.
   */
  finish(effect: (tx: Transaction) => Promise<void>): Promise<void>;
  /** Inside the job's own transaction: throws when the job is no longer ours, and keeps it ours until the commit. */
  requireLease(tx: Transaction): Promise<void>;
}

/**
 * @example
 * export const pruneEvents = defineJob({
 *   name: "events.prune", input: z.object({}), retry: { attempts: 3, delayMs: 1_000 }, timeoutMs: 60_000,
 *   schedule: { cron: "* * * * *", input: {} },
 *   run: ({ app }) => prune(app.db),
 * });
 */
export function defineJob<Input>(definition: JobDefinition<Input>): JobDefinition<Input> {
  return definition;
}

/** Thrown by `finish` and `requireLease`, and the reason of the signal, when another worker has the job by now. */
export class LeaseLost extends Error {
  constructor(jobId: JobId) {
    super(`job ${jobId} is no longer held by this worker`);
    this.name = "LeaseLost";
  }
}

/** The reason of the signal when this process stops: another one takes the job up. */
export class WorkerStopping extends Error {
  constructor(jobId: JobId) {
    super(`the worker of job ${jobId} is stopping`);
    this.name = "WorkerStopping";
  }
}

/** Throw it when trying again cannot help: the job is parked at once. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PermanentFailure";
  }
}
