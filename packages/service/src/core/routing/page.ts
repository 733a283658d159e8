/**
 * @module Lists, a page at a time: where a page ends, written into a cursor and read from it. Before it leaves, a cursor is
 * sealed with a version and the name of its list and of what the list is of, so that no list is ever asked to read another's.
 */
import { createHash } from "node:crypto";
import { ApiError, type Id, type IdKind } from "@fettle/contract/core";
import type { OperationId } from "@fettle/contract/operations";

/** Counts on when what any list writes into its cursors changes. */
const version = "3";

/** Which list it is: an operation's, of what the ids of a request name. */
export interface ListKey {
  list: OperationId;
  ids: Readonly<Record<string, string>>;
}

/** @example sealCursor({ list: "listEvalRuns", ids: { projectId } }, writeCursor(row.createdAt, row.id)) */
export function sealCursor(key: ListKey, place: string): string {
  return Buffer.from([version, key.list, digestOf(key), place].join(" ")).toString("base64url");
}

/** The place in this list; throws for anything else. */
export function openCursor(key: ListKey, cursor: string, path: string): string {
  const [at, of, digest, ...place] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (at !== version || of !== key.list || digest !== digestOf(key)) throw badCursor(path);
  return place.join(" ");
}

/** Short: it keeps lists apart, and guards nothing. */
function digestOf({ ids }: ListKey): string {
  const text = JSON.stringify(Object.entries(ids).toSorted());
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}

/** @example writeCursor(row.createdAt, row.id) */
export function writeCursor(...place: (string | number | Date)[]): string {
  return place.map((part) => (part instanceof Date ? part.getTime() : part)).join(" ");
}

/** A moment, a small whole number, or an id. */
const partKinds = { moment: /^\d{1,15}$/, count: /^\d{1,9}$/, id: /^[^\s\0]{1,100}$/ };
type PartKind = keyof typeof partKinds;

/**
 * The parts of a place, each of its kind.
 *
 * @example
 * const [at, id] = readCursor(cursor, ["moment", "id"]);
 */
export function readCursor<const Kinds extends readonly PartKind[]>(
  place: string,
  kinds: Kinds,
  path = "query.cursor",
): { [Index in keyof Kinds]: string } {
  const parts = place.split(" ");
  const isRead =
    parts.length === kinds.length && kinds.every((kind, at) => partKinds[kind].test(parts[at] ?? ""));
  if (!isRead) throw badCursor(path);
  // Counted just above.
  return parts as { [Index in keyof Kinds]: string };
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
  const [at, id] = readCursor(cursor, ["moment", "id"], path);
  return { at: new Date(Number(at)), id: id as Id<Kind> };
}

export const badCursor = (path = "query.cursor") =>
  new ApiError("VALIDATION_ERROR", "This is not a cursor of this list.", {
    path,
    code: "BAD_CURSOR",
    hint: "Read the list from its beginning, without a cursor.",
  });

/** What a caller asks of a list that is answered whole without a limit. */
export interface PageOrWhole {
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** The rows that are read for it. Without a limit: all after the place. */
export interface Range<Place> {
  after?: Place | undefined;
  most?: number | undefined;
}

/** One row more than a page shows tells whether there is another page. */
export const rangeOf = <Place>(after: Place | undefined, limit: number | undefined): Range<Place> => ({
  after,
  most: limit === undefined ? undefined : limit + 1,
});

/**
 * Of one row more than asked for, which tells whether there is another page: those to show, and where the next begins.
 *
 * @example
 * const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
 * return { items: shown.map(toRun), ...next };
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number | undefined,
  cursorOf: (last: Row) => string,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    shown,
    next: rows.length > shown.length && last !== undefined ? { nextCursor: cursorOf(last) } : {},
  };
}
