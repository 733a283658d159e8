/** @module The row of a statement that always has one: an insert, an aggregate, an update of a row that is held. */

/**
 * @example
 * return oneRow(await db.insert(projects).values(values).returning());
 */
export function oneRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("A statement that always has a row had none.");
  return row;
}
