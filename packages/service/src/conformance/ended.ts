/** @module Whether a run is over: one that has ended is never changed again. */
import type { ConformanceStatus } from "@fettle/contract";

export type Ended = Exclude<ConformanceStatus, "queued" | "running">;

export function isEnded({ status }: { status: ConformanceStatus }): boolean {
  return status !== "queued" && status !== "running";
}
