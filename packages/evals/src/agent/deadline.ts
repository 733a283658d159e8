/** @module A signal that ends with its parent or after a time, and lets go of both when it is no longer needed. */

import { isMcpError } from "@fettle/mcp";

export interface Deadline {
  signal: AbortSignal;
  /** It ended because time ran out, its own or its parent's, not because someone cancelled. */
  readonly isOver: boolean;
  release(): void;
}

/** `AbortSignal.any` keeps every child for as long as the parent lives; ten thousand turns of one run would stay. */
export function startDeadline(ms: number, parent?: AbortSignal, what = "A turn"): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`${what} did not end within ${ms} ms.`, "TimeoutError"));
  }, ms);
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isTimeOver(controller.signal);
    },
    release() {
      clearTimeout(timer);
      parent?.removeEventListener("abort", follow);
    },
  };
}

/** Whether a clock ended it; false for a person's stop, and while it goes on. */
export function isTimeOver({ reason }: AbortSignal): boolean {
  return isMcpError(reason, "TIMEOUT") || (reason instanceof Error && reason.name === "TimeoutError");
}

/** What was not done in its time, in words. */
export function lateness({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "The time was over.";
}
