/** @module `--timeout` as a promise: when it is over the work is told to stop, then its processes are killed, then it is left behind. */
import { exitCodes } from "@fettle/contract";
import { killSpawnedProcesses, McpError } from "@fettle/mcp";
import { untilInterrupted } from "../interrupts.ts";

export interface Deadline {
  timeoutMs: number;
  /** Aborts when the time is over. */
  signal: AbortSignal;
  /** At least one millisecond, so that it can be handed on as a wait. */
  remainingMs(): number;
}

/** Time to say what happened, once the signal has fired. */
const killAfterMs = 250;
const leaveAfterMs = 600;

export async function withDeadline<T>(
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const late = new McpError("TIMEOUT", `Not finished within ${timeoutMs} ms.`, {
    hint: "Allow more time with --timeout, or look at the server's log for what it was doing.",
    details: { phase: "total", timeoutMs },
  });
  const left = Promise.withResolvers<never>();
  const timers = [
    setTimeout(() => stop.abort(late), timeoutMs),
    setTimeout(killSpawnedProcesses, timeoutMs + killAfterMs),
    setTimeout(() => left.reject(late), timeoutMs + leaveAfterMs),
  ];
  const working = work({
    timeoutMs,
    signal: stop.signal,
    remainingMs: () => Math.max(1, Math.round(endsAt - performance.now())),
  });
  try {
    return await endingChildren(Promise.race([working, left.promise]));
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
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
