/** @module Counting what a test left running: children of this process, found by their parent or by a mark in their environment. */
import { readdirSync, readFileSync } from "node:fs";

/** A variable that only the servers of one test carry; grandchildren inherit it. */
export function processMark(): { env: Record<string, string>; left(): number[] } {
  const value = `mark-${process.pid}-${Math.random().toString(36).slice(2)}`;
  return {
    env: { TEST_PROCESS_MARK: value },
    left: () =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(value))
        .map(Number),
  };
}

function environmentOf(pid: string): string {
  try {
    // A process that has died but was not yet reaped has no environment, so it does not count.
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
