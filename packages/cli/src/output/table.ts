/** @module Rows as an aligned table, and facts as an aligned list, measured in screen columns. */
import { counted as count, pluralOf } from "@fettle/contract/formats";
import {
  join,
  lines,
  pad,
  style,
  type Text,
  text,
  toText,
  truncate,
  type Writable,
  widthOf,
} from "./text.ts";

export interface Column {
  header: string;
  align?: "left" | "right";
  /** May be cut to fit the screen. Never for ids: a cut id cannot be pasted. */
  shrinks?: boolean;
}

const gap = "  ";
const narrowest = 8;

/**
 * An aligned table with a dim header, no wider than `width` where its shrinking columns allow.
 *
 * @example
 * table([{ header: "ID" }, { header: "NAME", shrinks: true }], projects.map((p) => [p.id, p.name]), 80)
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Writable[])[],
  width: number,
): Text {
  const cells = rows.map((row) => columns.map((_, index) => toText(row[index] ?? "")));
  const sized = columns.map((column, index) => ({
    ...column,
    width: Math.max(widthOf(column.header), ...cells.map((row) => widthOf(row[index] ?? ""))),
  }));
  shrinkToFit(sized, width);
  const line = (row: readonly Writable[]) =>
    join(
      sized.map((column, index) => {
        const isLast = index === sized.length - 1 && column.align !== "right";
        const cut = truncate(row[index] ?? "", column.width);
        return isLast ? cut : pad(cut, column.width, column.align);
      }),
      gap,
    );
  return lines([style.dim(line(columns.map((column) => column.header))), ...cells.map(line)]);
}

/** Takes columns away from the widest shrinking column until the row fits, or nothing more may be taken. */
function shrinkToFit(columns: readonly (Column & { width: number })[], width: number): void {
  let excess = columns.reduce((sum, each) => sum + each.width, gap.length * (columns.length - 1)) - width;
  while (excess > 0) {
    const [widest] = columns
      .filter((column) => column.shrinks && column.width > narrowest)
      .sort((one, other) => other.width - one.width);
    if (!widest) return;
    widest.width -= 1;
    excess -= 1;
  }
}

/**
 * Facts, one to a line, their labels aligned. A fact that is `undefined` is left out.
 *
 * @example
 * facts([["Credential", "API key sk_...wxyz"], ["Project", undefined]])
 */
export function facts(entries: readonly (readonly [label: string, value: Writable | undefined])[]): Text {
  const shown = entries.filter((entry): entry is readonly [string, Writable] => entry[1] !== undefined);
  const width = Math.max(...shown.map(([label]) => widthOf(label)));
  return lines(shown.map(([label, value]) => text`${style.dim(pad(label, width))}  ${value}`));
}

// Taken and then given: a name that is only passed on would bring all of `formats` into every command.
export { count, pluralOf };
