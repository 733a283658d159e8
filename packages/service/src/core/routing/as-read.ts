/** @module What several people may change: whoever changes it may say what they read, and nothing is changed once it is another. */
import { ApiError, type ExpectedUpdatedAt } from "@fettle/contract/core";
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
  expectedUpdatedAt: ExpectedUpdatedAt | undefined,
  shared: Shared,
): Date {
  requireAsRead(before, expectedUpdatedAt, shared);
  const currentUpdatedAt = before.updatedAt.getTime();
  // Never the same moment twice: it tells one state from the next.
  return new Date(Math.max(app.now(), currentUpdatedAt + 1));
}

/** Before a row that is locked is changed or deleted. Undefined: it has been deleted since it was looked up. */
export function requireAsRead(
  before: { updatedAt: Date } | undefined,
  expectedUpdatedAt: ExpectedUpdatedAt | undefined,
  { what, code }: Shared,
): void {
  const currentUpdatedAt = before?.updatedAt.getTime() ?? null;
  const isAsExpected =
    expectedUpdatedAt === "*" ? before !== undefined : expectedUpdatedAt === currentUpdatedAt;
  if (expectedUpdatedAt === undefined || isAsExpected) return;
  const happened = before ? "changed" : "deleted";
  throw new ApiError("CONFLICT", `${what} was ${happened} by someone else. Reload and try again.`, {
    code,
    currentUpdatedAt,
  });
}
