/** @module Rows as an aligned table, and facts as an aligned list, measured in screen columns. */
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
  const widths = columns.map((column, index) =>
    Math.max(widthOf(column.header), ...cells.map((row) => widthOf(row[index]!))),
  );
  shrinkToFit(columns, widths, width);
  const line = (row: readonly Writable[]) =>
    join(
      row.map((cell, index) => {
        const isLast = index === columns.length - 1 && columns[index]!.align !== "right";
        const cut = truncate(cell, widths[index]!);
        return isLast ? cut : pad(cut, widths[index]!, columns[index]!.align);
      }),
      gap,
    );
  return lines([style.dim(line(columns.map((column) => column.header))), ...cells.map(line)]);
}

/** Takes columns away from the widest shrinking column until the row fits, or nothing more may be taken. */
function shrinkToFit(columns: readonly Column[], widths: number[], width: number): void {
  let excess = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1)) - width;
  while (excess > 0) {
    const widest = columns
      .map((column, index) => ({ index, room: column.shrinks ? widths[index]! - narrowest : 0 }))
      .reduce((most, each) => (each.room > most.room ? each : most));
    if (widest.room <= 0) return;
    widths[widest.index]! -= 1;
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

/** "project" to "projects", "entry" to "entries". */
export function pluralOf(noun: string): string {
  return noun.replace(/(?<![aeiou])y$/, "ie").concat("s");
}

/** "1 project", "3 projects". */
export function count(number: number, singular: string, plural = pluralOf(singular)): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
