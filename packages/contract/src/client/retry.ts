/** @module When a refused call may be tried again, and after how long. */

const attempts = 4;
const firstWaitMs = 500;
/** Between the attempts of a patient caller, whatever the service says. */
const patientWaitMs = 250;
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
 * jitter on top keeps callers that were refused together from coming back together. A patient caller waits for a rate
 * limit (429) until its own time is over; an outage (503) ends for everybody after a few attempts.
 *
 * @example
 * retryWaitMs({ attempt: 1, status: 429, retryAfter: 2, random: 0.5 }); // 2250
 */
export function retryWaitMs(refusal: {
  attempt: number;
  status: number;
  retryAfter: number | undefined;
  random: number;
  isPatient?: boolean;
}): number | undefined {
  const { attempt, status, retryAfter, isPatient = false } = refusal;
  const isLast = attempt >= attempts;
  if (!retryableStatuses.includes(status) || (isLast && !(isPatient && status === 429))) return undefined;
  const asked = retryAfter === undefined ? firstWaitMs * 2 ** (attempt - 1) : retryAfter * 1000;
  const floor = isLast ? Math.max(asked, patientWaitMs) : asked;
  return floor + Math.max(floor, firstWaitMs) * 0.25 * refusal.random;
}

/** Seconds of a `Retry-After`, which may also be a date. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
