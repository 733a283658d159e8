/** @module Who changed a row last, as it is told to others. */
import type { Author, UserId } from "@fettle/contract/core";

export function authorOf(row: { updatedBy: UserId | null; updatedByName: string | null }): Author {
  // Rows from before authors were kept have neither; whoever deleted their account has no name.
  if (row.updatedBy === null || row.updatedByName === null) return null;
  return { userId: row.updatedBy, name: row.updatedByName };
}
