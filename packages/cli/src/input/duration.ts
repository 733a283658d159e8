/** @module How long something is to hold, as people write it: a whole number with its unit. */
import { usageError } from "../cli-error.ts";

const minute = 60_000;
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: 24 * 60 * minute };

/**
 * In milliseconds. A number without a unit is refused: nobody can know what is meant.
 *
 * @example
 * readDuration("--expires-in", "12h"); // 43200000
 */
export function readDuration(flag: string, typed: string): number {
  const [, digits, unit] = /^(\d{1,9})([mhd])$/.exec(typed.trim()) ?? [];
  const ms = Number(digits) * (units[unit ?? ""] ?? 0);
  if (ms > 0) return ms;
  throw usageError(`${flag} takes a number above 0 with its unit, not "${typed}".`, {
    hint: "Write 30m, 12h or 7d.",
  });
}
