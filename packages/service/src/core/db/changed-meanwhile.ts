/** @module What is answered when something was deleted, or taken into use, between two statements of one call. */
import { ApiError } from "@fettle/contract/core";

export const changedMeanwhile = () =>
  new ApiError(
    "CONFLICT",
    "Something this request uses was deleted or taken into use at the same time. Nothing was saved.",
    { reason: "changed_meanwhile", hint: "Reload and try again." },
  );

/**
 * The row that was there a moment ago.
 *
 * @example
 * const run = stillThere(await store.lockRun(tx, runId));
 */
export function stillThere<Row>(row: Row | undefined): Row {
  if (row === undefined) throw changedMeanwhile();
  return row;
}
