/** @module What was probably meant by a name that nothing has: the near ones first, for a person's eye and for a script. */

import { only } from "@fettle/contract/formats";

/** More than these would bury the message. */
const choicesTold = 20;
const nearTold = 3;

export interface Unknown {
  /** What there is, the likeliest first. */
  choices: string[];
  /** How many are not among them. */
  moreChoices?: number;
  hint?: string;
  /** Where one name is the nearest: the command can be said as it was meant. */
  meant?: { typed: string; name: string; isCommand?: boolean };
}

/**
 * What to add to the error about an unknown name.
 *
 * @example
 * throw usageError(`No host is called "${typed}".`, unknownName(typed, hostIds));
 */
export function unknownName(typed: string, known: readonly string[], otherwise?: string): Unknown {
  const near = nearNames(typed, known);
  const nearest = only(near);
  const all = [...new Set([...near, ...known])];
  const hint = near.length > 0 ? `Did you mean ${either(near)}?` : otherwise;
  return {
    choices: all.slice(0, choicesTold),
    ...(all.length > choicesTold && { moreChoices: all.length - choicesTold }),
    ...(hint !== undefined && { hint }),
    ...(nearest !== undefined && { meant: { typed, name: nearest } }),
  };
}

/** Longer than any name there is. */
const longestName = 200;

/** The few that look most like what was typed. */
export function nearNames(typed: string, known: readonly string[]): string[] {
  const wanted = plain(typed.slice(0, longestName + 1));
  if (wanted.length > longestName) return [];
  const within = [...new Set(known)]
    .map((name) => ({ name, away: distance(wanted, plain(name)) }))
    .filter(({ away }) => away <= reach(wanted));
  const nearest = Math.min(...within.map(({ away }) => away));
  return within
    .filter(({ away }) => away === nearest)
    .slice(0, nearTold)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, "-");
}

/** A slip in a short word changes it wholly. */
function reach(wanted: string): number {
  return wanted.length < 5 ? 1 : wanted.length < 9 ? 2 : Math.floor(wanted.length / 4);
}

/** How many letters are missing, surplus, other or swapped; a piece of the name counts as a slip of one. */
function distance(a: string, b: string): number {
  if (a.length > 2 && b.includes(a)) return Math.min(1, edits(a, b));
  return edits(a, b);
}

function edits(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const other = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        costAt(above, column) + 1,
        costAt(current, column - 1) + 1,
        costAt(above, column - 1) + other,
        isSwapped ? costAt(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = current;
  }
  return costAt(above, b.length);
}

/** No way leads over the edge of the table. */
const costAt = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;

export function either(names: readonly string[]): string {
  return only(names) ?? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
