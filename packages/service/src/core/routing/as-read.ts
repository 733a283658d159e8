/** @module What several people may change: whoever changes it may say what they read, and nothing is changed once it is another. */
import { ApiError } from "@fettle/contract/core";
import type { App } from "../app.ts";

/** What is changed, as in "The project", and the stable word for its having been changed by somebody else. */
interface Shared {
  what: string;
  code: string;
}

/**
 * The moment of the change, for a row that is locked.
 *
 * @example
 * const updatedAt = nextUpdate(app, row, expectedUpdatedAt, { what: "The project", code: "PROJECT_CHANGED" });
 */
export function nextUpdate(
  app: Pick<App, "now">,
  before: { updatedAt: Date },
  expectedUpdatedAt: number | undefined,
  { what, code }: Shared,
): Date {
  const currentUpdatedAt = before.updatedAt.getTime();
  if (expectedUpdatedAt !== undefined && expectedUpdatedAt !== currentUpdatedAt) {
    throw new ApiError("CONFLICT", `${what} was changed meanwhile. Read it again, and decide anew.`, {
      code,
      currentUpdatedAt,
    });
  }
  // Never the same moment twice: it tells one state from the next.
  return new Date(Math.max(app.now(), currentUpdatedAt + 1));
}
