/** @module Lists, a page at a time: where a page ends, written into a cursor and read from it. */
import { ApiError, type Id, type IdKind } from "@fettle/contract";

/** @example writeCursor(row.createdAt, row.id) */
export function writeCursor(...place: (string | number | Date)[]): string {
  const parts = place.map((part) => (part instanceof Date ? part.getTime() : part));
  return Buffer.from(parts.join(" ")).toString("base64url");
}

/**
 * The parts of a place: a number first, then as many words as the list is ordered by.
 *
 * @example
 * const [at, id] = readCursor(cursor, 2);
 */
export function readCursor<Count extends 1 | 2 | 3>(cursor: string, count: Count, path = "query.cursor") {
  const parts = Buffer.from(cursor, "base64url").toString().split(" ");
  const [first = "", ...others] = parts;
  const isRead = /^\d{1,15}$/.test(first) && others.every((word) => /^\S{1,100}$/.test(word));
  if (!isRead || parts.length !== count) throw badCursor(path);
  // Counted just above.
  return parts as { 1: [string]; 2: [string, string]; 3: [string, string, string] }[Count];
}

/** In the order of time, and of ids where several are of the same moment. Whether the id is still anybody's does not matter. */
export interface PlaceOf<Kind extends IdKind> {
  at: Date;
  id: Id<Kind>;
}

export function readPlace<Kind extends IdKind>(
  cursor: string | undefined,
  path?: string,
): PlaceOf<Kind> | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = readCursor(cursor, 2, path);
  return { at: new Date(Number(at)), id: id as Id<Kind> };
}

export const badCursor = (path = "query.cursor") =>
  new ApiError("VALIDATION_ERROR", "This is not a cursor of this list.", { path, code: "BAD_CURSOR" });

/**
 * Of one row more than asked for, which tells whether there is another page: those to show, and where the next begins.
 *
 * @example
 * const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
 * return { items: shown.map(toRun), ...next };
 */
export function cutPage<Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: rows.length > limit && last !== undefined ? { nextCursor: cursorOf(last) } : {} };
}
