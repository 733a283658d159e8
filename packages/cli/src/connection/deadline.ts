/**
 * @module `--timeout` as a promise: no command that waits for a server takes longer. When it is over the work is told to stop, then its
 * processes are killed, then it is left behind.
 *
 * Without the flag one connection and what is asked over it have 30 s; a suite or a sign-in, which is many of those, has the time of a
 * hosted run, and each of its checks or steps 15 s (`--check-timeout`) or 30 s (`--step-timeout`). No part ever has longer than the whole.
 * The time a person takes to consent is theirs, and what listens or watches is bounded by flags of its own (`--duration-ms`) once it is open.
 */
import { exitCodes, limits } from "@fettle/contract/core";
import { killSpawnedProcesses, McpError } from "@fettle/mcp";
import { untilInterrupted } from "../interrupts.ts";

export interface Deadline {
  timeoutMs: number;
  /** Aborts when the time is over. */
  signal: AbortSignal;
  /** At least one millisecond, so that it can be handed on as a wait. */
  remainingMs(): number;
  /** The clock stands still meanwhile. */
  whilePersonActs<T>(work: Promise<T>): Promise<T>;
}

/** Whoever waits hears of the signal first; then children go at once, whatever they make of a request to leave. */
const killAfterMs = 20;
/** Time to say what happened. */
const leaveAfterMs = 400;
/** A suite still says what it has decided, and closes what it opened. */
const leaveSuiteAfterMs = 1_000;

export interface DeadlineOptions {
  leaveAfter?: number;
  /** The time that was typed, where several share it and this is what is left of it. */
  promisedMs?: number;
  /** Ctrl-C then stops the work as the end of the time does, so that what was found is still told; without it, it ends the process. */
  onInterrupt?: () => void;
}

export async function withDeadline<T>(
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
  { leaveAfter = leaveAfterMs, promisedMs = timeoutMs, onInterrupt }: DeadlineOptions = {},
): Promise<T> {
  const stop = new AbortController();
  const late = unfinished(promisedMs);
  const left = Promise.withResolvers<never>();
  let endsAt = 0;
  let timers: NodeJS.Timeout[] = [];
  const arm = (remaining: number, leave: () => void = () => left.reject(late)) => {
    endsAt = performance.now() + remaining;
    timers = [
      setTimeout(() => stop.abort(late), remaining),
      setTimeout(killSpawnedProcesses, remaining + killAfterMs),
      setTimeout(leave, remaining + leaveAfter),
    ];
  };
  const disarm = () => {
    for (const timer of timers) clearTimeout(timer);
  };
  const remainingMs = () => Math.max(1, Math.round(endsAt - performance.now()));
  arm(timeoutMs);
  const working = work({
    timeoutMs,
    signal: stop.signal,
    remainingMs,
    async whilePersonActs(acting) {
      if (stop.signal.aborted) return acting;
      const remaining = remainingMs();
      disarm();
      return acting.finally(() => arm(remaining));
    },
  });
  const ending = Promise.race([working, left.promise]);
  const over = new AbortController();
  let isInterrupted = false;
  if (onInterrupt) {
    untilInterrupted(over.signal).then(() => {
      isInterrupted = true;
      onInterrupt();
      disarm();
      stop.abort(new DOMException("Interrupted.", "AbortError"));
      arm(0, () => process.exit(exitCodes.interrupted));
    });
  }
  try {
    return await (onInterrupt ? ending : endingChildren(ending));
  } finally {
    disarm();
    // The same Ctrl-C may come twice, and must not cut off the report: who was interrupted goes on hearing.
    if (!isInterrupted) over.abort();
  }
}

/** Many checks or steps: bounded by `--timeout` when it was typed, else as a hosted run is. */
export function withSuiteDeadline<T>(
  typed: number | undefined,
  work: (deadline: Deadline) => Promise<T>,
  promisedMs?: number,
): Promise<T> {
  const options = { leaveAfter: leaveSuiteAfterMs, ...(promisedMs !== undefined && { promisedMs }) };
  return withDeadline(typed ?? limits.conformance.hostedRunMs, work, options);
}

function unfinished(timeoutMs: number): McpError {
  return new McpError("TIMEOUT", `Not finished within ${timeoutMs} ms.`, {
    hint: "Allow more time with --timeout, or look at the server's log for what it was doing.",
    details: { phase: "total", timeoutMs },
  });
}

/** What is left of a typed `--timeout` for the next of several runs; throws when nothing is, so that it is not even begun. */
export function sharedTime(typed: number | undefined): () => number | undefined {
  const startedAt = performance.now();
  return () => {
    if (typed === undefined) return undefined;
    const left = Math.round(typed - (performance.now() - startedAt));
    if (left < 1) throw unfinished(typed);
    return left;
  };
}

/** What one check may take: its own time, and never more than the whole. */
export function checkTime(whole: number | undefined, own: number = limits.conformance.checkMs): number {
  return Math.min(own, whole ?? own);
}

/** The same of a step of a sign-in. */
export function stepTime(whole: number | undefined, own: number = limits.conformance.stepMs): number {
  return Math.min(own, whole ?? own);
}

/** Ctrl-C ends this process and with it what it started: those are groups of their own, which the terminal's signal does not reach. */
export async function endingChildren<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => {
    killSpawnedProcesses();
    process.exit(exitCodes.interrupted);
  });
  return work.finally(() => over.abort());
}
