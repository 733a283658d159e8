import { usageError } from "../cli-error.ts";

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
