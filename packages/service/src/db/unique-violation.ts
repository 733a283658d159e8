/** @module Recognises the database's refusal of a second row where only one may be. */

/** Drizzle wraps the driver's error, so the code is looked for along the chain of causes. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code, constraint: broken } = fault as Error & { code?: string; constraint?: string };
    if (code === "23505") return broken === constraint;
  }
  return false;
}
