/** @module The next time a clock on the wall shows an hour. */

/**
 * @example
 * nextAt("02:00", Date.now()) // tonight, or early today
 */
export function nextAt(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const at = new Date(now);
  at.setHours(hours, minutes, 0, 0);
  if (at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
}
