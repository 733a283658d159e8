/** @module A signal that ends with its parent or after a time, and lets go of both when it is no longer needed. */

export interface Deadline {
  signal: AbortSignal;
  /** It ended because time ran out, not because someone cancelled. */
  readonly isOver: boolean;
  release(): void;
}

/** `AbortSignal.any` keeps every child for as long as the parent lives; ten thousand turns of one run would stay. */
export function startDeadline(ms: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException("The turn ran out of time.", "TimeoutError"));
  }, ms);
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    release() {
      clearTimeout(timer);
      parent?.removeEventListener("abort", follow);
    },
  };
}
