/** @module The retry flags of commands that reach a server, and when another try makes sense. */
import { limits } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { flags } from "../program/flag.ts";

export const retryFlags = flags({
  retries: {
    kind: "integer",
    min: 0,
    max: 100,
    value: "count",
    defaultNote: "0",
    help: "Try again after a passing fault; --timeout is for each try",
  },
  "retry-delay-ms": {
    kind: "integer",
    min: 0,
    max: limits.waitMs,
    value: "ms",
    defaultNote: "3000",
    help: "Wait between tries; needs --retries",
  },
});

export interface RetryPolicy {
  retries: number;
  delayMs: number;
}

export function retryPolicy(typed: {
  retries?: number | undefined;
  retryDelayMs?: number | undefined;
}): RetryPolicy {
  const retries = typed.retries ?? 0;
  if (typed.retryDelayMs !== undefined && retries === 0) {
    throw usageError("--retry-delay-ms needs --retries of at least 1.");
  }
  return { retries, delayMs: typed.retryDelayMs ?? 3000 };
}

const passingCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EPIPE",
  "UND_ERR_SOCKET",
]);

/** A fault of the network that may be over in a moment. */
export function isPassingNetworkFault(code: string): boolean {
  return passingCodes.has(code);
}

/** 501 says that it will never work; every other 5xx may. */
export function isPassingStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501);
}
