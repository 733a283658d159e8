/** @module Whether a run is over: one that has ended is never changed again. */
import { ApiError } from "@fettle/contract/core";
import type { ConformanceStatus } from "@fettle/contract/servers";

export type Ended = Exclude<ConformanceStatus, "queued" | "running">;

export function isEnded({ status }: { status: ConformanceStatus }): boolean {
  return status !== "queued" && status !== "running";
}

export function hasEnded({ status }: { status: ConformanceStatus }): ApiError {
  const message = `This run is ${status.replace("_", " ")}; nothing can be added to it.`;
  return new ApiError("CONFLICT", message, { code: "RUN_ENDED", status });
}
