/** @module How long a provider asks to wait: seconds, a date, or the milliseconds that some send. Pure. */

/** Undefined when nothing usable is said. A date in the past is no wait. */
export function retryAfterMs(
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const exact = headers["retry-after-ms"]?.trim();
  if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact));
  const said = headers["retry-after"]?.trim();
  if (said === undefined || said === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(said)) return Math.ceil(Number(said) * 1000);
  // Only the form that HTTP defines: Date.parse would take "5-1" for a day in May.
  if (!/^[A-Z][a-z]{2,8}, /.test(said)) return undefined;
  const date = Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
