/** @module Recognises the database's refusal of a second row where only one may be. */
import { codeOf } from "@fettle/contract/core";

/** Drizzle wraps the driver's error, so the code is looked for along the chain of causes. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (codeOf(fault) === "23505") return "constraint" in fault && fault.constraint === constraint;
  }
  return false;
}
