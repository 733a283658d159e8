/** @module Runs jobs in this process: takes them up the moment they fall due, keeps its leases, and lets go in an orderly way. */
import { setTimeout as delay } from "node:timers/promises";
import { redactText } from "@fettle/contract/secrets";
import type { App } from "../app.ts";
import type { Listener } from "../db/listener.ts";
import { outageOf } from "../db/outage.ts";
import type { Database, Transaction } from "../db/pool.ts";
import { withoutQueryTimeout } from "../db/query-timeout.ts";
import { newId } from "../id.ts";
import type { createTurns } from "../turns.ts";
import { type JobCall, type JobDefinition, LeaseLost, PermanentFailure, WorkerStopping } from "./define.ts";
import { createSettler } from "./settler.ts";
import {
  type ClaimedJob,
  claimJobs,
  jobChannel,
  lockHeld,
  type Outcome,
  prolongLeases,
  settleOne,
  takeBackLost,
  untilNextDue,
} from "./store.ts";

export interface Worker {
  /** Takes no more jobs, gives the running ones time to end, and hands back those that do not. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  concurrency: number;
  /** How long a worker may be silent before its jobs go to others. */
  leaseMs: number;
  /** How long a stop waits for running jobs. */
  drainMs: number;
}

/** What the lanes of one process share. A process that was held up takes nothing back from itself: it would run it twice at once. */
export interface Here {
  running: Set<Running>;
  /** Taking up and taking back: a job that is taken up but not yet among `running` must not be taken back. */
  inTurn: ReturnType<typeof createTurns>;
}

/** When the database was out of order; by then it may be back. */
const afterOutageMs = 2_000;
const longestRetryDelayMs = 15 * 60_000;
/** After its signal was aborted, what a job has left to end by itself. */
const graceMs = 5_000;
/** Nothing depends on it: every due time and every notification wakes the worker by itself. */
const longestIdleMs = 30_000;
/** Jobs that have run and wait for their ends to be written, for each that may run: a crash repeats no more than these. */
const unwrittenPerSlot = 2;

/** Why a running job's signal was aborted. `lost`: another worker has it; `cut off`: one may have it by now. */
type Stopper = "cancelled" | "timed out" | "lost" | "cut off" | "stopping";

export interface Running {
  job: ClaimedJob;
  controller: AbortController;
  stopper: Stopper | undefined;
  isFinished: boolean;
  ended: Promise<void>;
}

export function startWorker(
  app: App,
  ledger: Database,
  listener: Listener,
  definitions: readonly JobDefinition[],
  options: WorkerOptions,
  here: Here,
): Worker {
  const { concurrency, leaseMs, drainMs } = options;
  const worker = newId("worker");
  const log = app.log.child({ worker });
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const names = [...byName.keys()];
  // A job may be here twice: given up as lost, and taken up again before its first run has ended.
  const running = new Set<Running>();
  const stopping = new AbortController();
  /** Set when every job has ended or been given up: from then on nothing is ours. */
  const released = new AbortController();
  const settler = createSettler(ledger, released.signal);
  const bell = createBell();
  /** Of `running`, those that have a slot: their run has not ended yet. */
  let active = 0;
  /** Whether more may be due than the last look took up; if not, a free slot is no reason to look again. */
  let isMoreLikely = true;

  const forget = listener.listen(jobChannel, {
    connected: bell.ring,
    notified: (payload) => {
      const cancelled = /^cancel (.+)$/.exec(payload)?.[1];
      if (cancelled === undefined) bell.ring();
      for (const one of running) if (one.job.id === cancelled) abort(one, "cancelled");
    },
  });

  function abort(one: Running, stopper: Stopper): void {
    if (one.stopper) return;
    one.stopper = stopper;
    if (stopper === "lost" || stopper === "cut off") here.running.delete(one);
    one.controller.abort(reasonFor(one.job.id, stopper));
  }

  /** As many as can start now: a job that is taken up waits for nothing, least of all for a slower one. */
  const room = () => Math.min(concurrency - active, (1 + unwrittenPerSlot) * concurrency - running.size);

  /** Takes up what is due while there is room, then sleeps until a slot, a notification or a due time wakes it. */
  async function takeUp(): Promise<void> {
    for (let pauseMs = 250; !stopping.signal.aborted; ) {
      let sleepMs = longestIdleMs;
      bell.reset();
      try {
        const limit = room();
        const claimed = limit > 0 ? await here.inTurn(() => claimUpTo(limit)) : 0;
        pauseMs = 250;
        isMoreLikely = claimed >= limit;
        if (isMoreLikely && room() > 0) continue;
        if (!isMoreLikely) sleepMs = Math.max(1, (await untilNextDue(ledger, names)) ?? longestIdleMs);
      } catch (error) {
        log.warn("jobs cannot be taken up; trying again", { error });
        sleepMs = pauseMs;
        pauseMs = Math.min(pauseMs * 2, 5_000);
      }
      await bell.heard(Math.min(sleepMs, longestIdleMs), stopping.signal);
    }
  }

  async function claimUpTo(limit: number): Promise<number> {
    const claimed = await claimJobs(ledger, { worker, names, limit, leaseMs });
    for (const job of claimed) start(job);
    return claimed.length;
  }

  function roomMade(): void {
    if (isMoreLikely) bell.ring();
  }

  function start(job: ClaimedJob): void {
    const one: Running = {
      job,
      controller: new AbortController(),
      stopper: undefined,
      isFinished: false,
      ended: Promise.resolve(),
    };
    running.add(one);
    here.running.add(one);
    active++;
    const jobLog = log.child({ job: job.name, jobId: job.id, claim: job.claim });
    one.ended = withoutQueryTimeout(() => perform(one, jobLog))
      // Its lease will run out, and another worker take it up.
      .catch((error) => jobLog.error("a job's outcome could not be written", { error }))
      .finally(() => {
        running.delete(one);
        here.running.delete(one);
        roomMade();
      });
  }

  async function perform(one: Running, jobLog: App["log"]): Promise<void> {
    const outcome = await tryOnce(one, jobLog);
    active--;
    roomMade();
    if (one.isFinished) return;
    if (outcome.state === "parked") jobLog.error("a job was parked", { error: outcome.error });
    const isSettled = await settler.settle(one.job, outcome);
    if (!isSettled) jobLog.warn("a job's outcome came too late: it is no longer ours");
  }

  async function tryOnce(one: Running, jobLog: App["log"]): Promise<Outcome> {
    const { job, controller } = one;
    // Only names in the map are claimed.
    const definition = byName.get(job.name) as JobDefinition<unknown>;
    const input = definition.input.safeParse(job.input);
    if (!input.success) return parked(new PermanentFailure(`its input is not valid: ${input.error.message}`));
    const timer = setTimeout(() => abort(one, "timed out"), definition.timeoutMs);
    const aborted = new Promise<never>((_, reject) => {
      // A job that does not listen to its signal must not hold its slot for ever.
      controller.signal.addEventListener("abort", () => {
        setTimeout(() => reject(controller.signal.reason), graceMs).unref();
      });
    });
    aborted.catch(() => undefined);
    try {
      await Promise.race([definition.run(callFor(one, input.data, jobLog)), aborted]);
      return { state: "done" };
    } catch (error) {
      return outcomeOf(one, definition, error, jobLog);
    } finally {
      clearTimeout(timer);
    }
  }

  function callFor(one: Running, input: unknown, jobLog: App["log"]): JobCall<unknown> {
    const { job, controller } = one;
    const requireLease = async (tx: Transaction) => {
      if (!(await lockHeld(tx, job))) throw new LeaseLost(job.id);
    };
    return {
      app,
      id: job.id,
      input,
      claim: job.claim,
      signal: controller.signal,
      log: jobLog,
      requireLease,
      finish: async (effect) => {
        await app.db.transaction(async (tx) => {
          await requireLease(tx);
          await effect(tx);
          await settleOne(tx, { hold: job, outcome: { state: "done" } });
        });
        one.isFinished = true;
      },
    };
  }

  function outcomeOf(one: Running, definition: JobDefinition, error: unknown, jobLog: App["log"]): Outcome {
    if (one.stopper === "cancelled") return { state: "cancelled" };
    // Not the job's fault. When it is no longer ours, this changes nothing.
    if (error instanceof LeaseLost || ["stopping", "lost", "cut off"].includes(one.stopper ?? "")) {
      return { state: "waiting", delayMs: 0, isFailure: false, error: null };
    }
    // Nor is an outage of the database, however often it is met; its own attempts are kept for its own faults.
    if (outageOf(error)) return { state: "waiting", delayMs: afterOutageMs, isFailure: false, error: null };
    const failures = one.job.failures + 1;
    if (error instanceof PermanentFailure || failures >= definition.retry.attempts) return parked(error);
    jobLog.warn("a job failed; it will be tried again", { failures, error });
    const longest = Math.min(definition.retry.delayMs * 2 ** (failures - 1), longestRetryDelayMs);
    // Spread out, so that many that failed together do not come back together.
    const delayMs = longest * (0.75 + Math.random() / 4);
    return { state: "waiting", delayMs, isFailure: true, error: reasonOf(error) };
  }

  /** Prolongs all leases at once. Silence longer than a lease means that others have the jobs, whatever we believe. */
  async function keepLeases(): Promise<void> {
    let heldUntil = performance.now() + leaseMs;
    while (!released.signal.aborted) {
      await delay(leaseMs / 6, undefined, { signal: released.signal }).catch(() => undefined);
      if (running.size === 0) {
        heldUntil = performance.now() + leaseMs;
        continue;
      }
      const askedAt = performance.now();
      try {
        const asked = [...running];
        const kept = await prolongLeases(ledger, { worker, ids: asked.map(({ job }) => job.id), leaseMs });
        heldUntil = askedAt + leaseMs;
        const byId = new Map(kept.map((row) => [row.id, row]));
        for (const one of asked) {
          const row = byId.get(one.job.id);
          if (row?.claim !== one.job.claim && !one.isFinished) abort(one, "lost");
          else if (row?.isCancelRequested) abort(one, "cancelled");
        }
      } catch (error) {
        log.warn("leases could not be prolonged", { error });
        if (performance.now() > heldUntil) for (const one of running) abort(one, "cut off");
      }
    }
  }

  async function watchOthers(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const lost = await here.inTurn(() =>
          takeBackLost(ledger, {
            leaseMs,
            longestDelayMs: longestRetryDelayMs,
            running: [...here.running].map(({ job }) => job),
          }),
        );
        for (const job of lost)
          log.warn("a job was taken back from a silent worker", {
            jobId: job.id,
            job: job.name,
            state: job.state,
          });
      } catch (error) {
        log.warn("lost jobs cannot be looked for", { error });
      }
      await delay((leaseMs / 3) * (0.75 + Math.random() / 2), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  }

  const allEnded = () => Promise.all([...running].map(({ ended }) => ended));
  const patience = (forMs: number) => delay(forMs, undefined, { ref: false });

  const loops = [takeUp(), watchOthers()];
  const leases = keepLeases();
  return {
    stop: async () => {
      stopping.abort();
      forget();
      await Promise.all(loops);
      await Promise.race([allEnded(), patience(drainMs)]);
      for (const one of running) abort(one, "stopping");
      await Promise.race([allEnded(), patience(2 * graceMs)]);
      released.abort();
      await leases;
    },
  };
}

function reasonFor(id: ClaimedJob["id"], stopper: Stopper): Error {
  if (stopper === "lost" || stopper === "cut off") return new LeaseLost(id);
  return stopper === "stopping" ? new WorkerStopping(id) : new Error(`the job was ${stopper}`);
}

function parked(error: unknown): Outcome {
  return { state: "parked", error: reasonOf(error) };
}

function reasonOf(error: unknown): { name: string; message: string } {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name: name.slice(0, longestReason), message: redactText(message).slice(0, longestReason) };
}

const longestReason = 2_000;

/** A wish to be woken: rung before or while sleeping, it is heard once. */
function createBell() {
  let wakeUp = () => {};
  let hasRung = false;
  return {
    ring: () => {
      hasRung = true;
      wakeUp();
    },
    reset: () => {
      hasRung = false;
    },
    heard: (patienceMs: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (hasRung || signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          wakeUp = () => {};
          resolve();
        };
        const timer = setTimeout(done, patienceMs);
        signal.addEventListener("abort", done);
        wakeUp = done;
      }),
  };
}
