/** @module Where a page of a list begins: after the last row of the page before, found by an index however far down the list it is. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/**
 * Rows after a place in a list of the newest first; all of them without one. Rows are compared as a whole: of two comparisons joined by
 * OR an index serves neither, and every page before would be read again.
 */
export const isAfterPlace = (
  { at, id }: { at: AnyPgColumn; id: AnyPgColumn },
  place: { at: Date; id: string } | undefined,
): SQL | undefined => place && sql`(${at}, ${id}) < (${place.at.toISOString()}::timestamptz, ${place.id})`;

/**
 * An id in a list whose ids are in the order of time. Not in the order of the primary key: PostgreSQL would read the whole table along
 * that key, past everybody else's rows, wherever it guesses that the wanted ones lie close together.
 */
export const placeById = (id: AnyPgColumn): SQL<string> => sql`${id} collate "C"`;
