/**
 * @module JSON whose whole numbers keep their digits. A number that a double would round (beyond 2^53) is held as the
 * platform's raw JSON: `JSON.stringify` writes it as it came, and whoever looks inside sees no object but a leaf.
 */

/** A number as it was written. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  /** Newer than TypeScript's own library files; Node 24 and every browser we support have both. */
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value);
}

/**
 * As `JSON.parse`, without rounding. Dearer, so ask `mayHoldLongNumber` first where most texts hold none. `keeps`: what
 * stays as it was written, digits that a double would round, or every spelling that it would change, such as `1.0`.
 */
export function parseExactNumbers(text: string, keeps: "digits" | "spelling" = "digits"): unknown {
  const isKept = keeps === "digits" ? isRounded : isRespelled;
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && source !== undefined && isKept(value, source) ? JSON.rawJSON(source) : value,
  );
}

/** Whether a text has sixteen digits in a row, or an exponent; also true of a few texts that need no care. */
export function mayHoldLongNumber(text: string): boolean {
  return /\d{16}|\d[eE]/.test(text);
}

/**
 * Fractions are rounded by every JSON reader there is; whole numbers are identities. Even one that a double holds, such
 * as 2^63, would be written with other digits.
 */
function isRounded(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true;
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source) && String(value) !== source;
}

function isRespelled(value: number, source: string): boolean {
  return String(value) !== source;
}

/** A copy for readers that know only plain numbers, such as a validator; what came without exact numbers stays itself. */
export function withPlainNumbers<T>(value: T): T {
  return holdsExactNumber(value) ? (JSON.parse(JSON.stringify(value)) as T) : value;
}

function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(holdsExactNumber);
}
