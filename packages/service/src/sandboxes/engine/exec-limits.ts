/** @module Holds what goes on in a container to a time and to a number of bytes, which engines do not do by themselves on every disk. */
import { setTimeout as delay } from "node:timers/promises";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import type { Engine } from "./engine.ts";

/** Which limit was met. */
export class LimitMet extends Error {
  readonly limit: "time" | "disk";
  constructor(limit: "time" | "disk", message: string) {
    super(message);
    this.name = "LimitMet";
    this.limit = limit;
  }
}

/** A process that stays until it is told to end, and takes in what others leave behind. */
export const idleCommand = [
  "/bin/sh",
  "-c",
  'trap "exit 0" TERM; while :; do sleep 86400 & wait $!; done',
] as const;

/**
 * Runs `work` with a signal that is aborted as soon as a limit is met, and throws the `LimitMet` then. What is still
 * running in the container is the caller's to end.
 */
export async function held<T>(
  engine: Engine,
  container: string,
  limits: { ms: number; diskBytes: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const done = new AbortController();
  const outer = () => stop.abort(limits.signal?.reason);
  limits.signal?.addEventListener("abort", outer, { once: true });
  if (limits.signal?.aborted) outer();
  const timer = setTimeout(
    () => stop.abort(new LimitMet("time", `It took longer than ${saidTime(limits.ms)}.`)),
    limits.ms,
  );
  const watching = watchDisk(engine, container, limits.diskBytes, stop, done.signal);
  try {
    const result = await work(stop.signal);
    stop.signal.throwIfAborted();
    await requireRoom(engine, container, limits.diskBytes);
    return result;
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", outer);
    done.abort();
    await watching;
  }
}

/** Throws when the container has written more than it may. */
export async function requireRoom(engine: Engine, container: string, diskBytes: number): Promise<void> {
  if ((await engine.containers.written(container)) <= diskBytes) return;
  throw new LimitMet("disk", `It wrote more than ${Math.round(diskBytes / 1_048_576)} MiB.`);
}

async function watchDisk(
  engine: Engine,
  container: string,
  diskBytes: number,
  stop: AbortController,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted && !stop.signal.aborted) {
    await delay(sandboxLimits.watchMs, undefined, { signal: done }).catch(() => undefined);
    if (done.aborted) return;
    try {
      await requireRoom(engine, container, diskBytes);
    } catch (error) {
      stop.abort(error);
    }
  }
}

function saidTime(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
