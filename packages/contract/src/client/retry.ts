/** @module When a refused call may be tried again, and after how long. */

const attempts = 4;
const firstWaitMs = 500;
const retryableStatuses: readonly number[] = [429, 503];

/** A read, a write the service can recognise as the same one, or one that was turned away at the door with a time to come back. */
export function mayRepeat(
  method: string,
  idempotencyKey: string | undefined,
  { status, retryAfter }: { status: number; retryAfter: number | undefined },
): boolean {
  return method === "GET" || idempotencyKey !== undefined || (status === 429 && retryAfter !== undefined);
}

/**
 * How long to wait before the next attempt, or undefined to give up. The service's own `Retry-After` is a floor; the
 * jitter on top keeps callers that were refused together from coming back together.
 *
 * @example
 * retryWaitMs({ attempt: 1, status: 429, retryAfter: 2, random: 0.5 }); // 2250
 */
export function retryWaitMs(refusal: {
  attempt: number;
  status: number;
  retryAfter: number | undefined;
  random: number;
}): number | undefined {
  if (refusal.attempt >= attempts || !retryableStatuses.includes(refusal.status)) return undefined;
  const floor =
    refusal.retryAfter === undefined ? firstWaitMs * 2 ** (refusal.attempt - 1) : refusal.retryAfter * 1000;
  return floor + Math.max(floor, firstWaitMs) * 0.25 * refusal.random;
}

/** Seconds of a `Retry-After`, which may also be a date. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
