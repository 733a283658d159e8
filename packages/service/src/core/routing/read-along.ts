/**
 * @module Reading the thing that a path names in the same round trip as the credential that asks for it. It is handed out only after
 * the credential, its limit and the caller's right to the project have been looked at, like a thing that is looked for afterwards.
 */

export interface ReadAlong<Found> {
  /** Of the thing; names the prepared statement. */
  name: string;
  /** Which part of the path names it. */
  param: string;
  /** The body of a lateral part that finds at most one row. The three are SQL expressions, never values. */
  sql(names: { project: string; id: string; user: string }): string;
  /** From a row that holds its columns, all null where nothing was found. */
  read(row: Record<string, unknown>): Found | undefined;
}

/** Which thing, and how it is read. */
export interface WantedAlong {
  reading: ReadAlong<unknown>;
  id: string;
}

/** A way to find a thing that can also be read along. */
export type FindAlong<Call, Found> = ((call: Call) => Promise<Found | undefined>) & {
  along: ReadAlong<Found>;
};

export const readingAlong = <Call, Found>(
  find: (call: Call) => Promise<Found | undefined>,
  along: ReadAlong<Found>,
): FindAlong<Call, Found> => Object.assign(find, { along });
