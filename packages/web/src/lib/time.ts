/** @module Times for people: near ones relative, others as a date; the exact instant is always one hover away. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/**
 * @example
 * timeAgo(Date.now() - 90_000, Date.now()) // "1 min. ago"
 */
export function timeAgo(at: number, now: number): string {
  const distance = at - now;
  const size = Math.abs(distance);
  if (size < 45_000) return distance > 0 ? "in a moment" : "just now";
  if (size < hour) return relative.format(Math.round(distance / minute), "minute");
  if (size < day) return relative.format(Math.round(distance / hour), "hour");
  if (size < 30 * day) return relative.format(Math.round(distance / day), "day");
  return dateOf(at);
}

function dateOf(at: number): string {
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export function clockOf(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Local date and time to the minute. */
export function momentOf(at: number): string {
  return `${dateOf(at)}, ${clockOf(at)}`;
}

/** The exact instant, for titles: `2026-03-03 14:02:07 UTC`. */
export function exactUtc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
