/** @module Two people changed the same thing: what each of them changed, and what becomes of it. */

import { isSameJson } from "@fettle/contract/formats";
import type { Json } from "../../lib/json-exact.ts";

/** A thing as its fields; an absent one is not set. */
export type Fields = Readonly<Record<string, Json | undefined>>;

export type Side = "mine" | "theirs";

export interface ConflictRow {
  field: string;
  mine: Json | undefined;
  theirs: Json | undefined;
  /** Who moved away from what both had read. */
  changedBy: "me" | "them" | "both";
}

/** The fields on which the two disagree, in the order of what is stored. */
export function conflictRows(base: Fields, mine: Fields, theirs: Fields): ConflictRow[] {
  const fields = [...new Set([...Object.keys(theirs), ...Object.keys(base), ...Object.keys(mine)])];
  return fields.flatMap((field) => {
    const row = { field, mine: own(mine, field), theirs: own(theirs, field) };
    if (isSameJson(row.mine, row.theirs)) return [];
    const before = own(base, field);
    const byMe = !isSameJson(before, row.mine);
    const byThem = !isSameJson(before, row.theirs);
    return [
      { ...row, changedBy: byMe && byThem ? ("both" as const) : byMe ? ("me" as const) : ("them" as const) },
    ];
  });
}

/** Where a merge starts: each keeps what only they changed; where both did, mine, because I am the one looking. */
export function preselected({ changedBy }: ConflictRow): Side {
  return changedBy === "them" ? "theirs" : "mine";
}

/** What is stored now, with mine in the places that were chosen. */
export function settled(
  theirs: Fields,
  rows: readonly ConflictRow[],
  sideOf: (row: ConflictRow) => Side,
): Fields {
  const taken = rows.filter((row) => sideOf(row) === "mine").map(({ field, mine }) => [field, mine] as const);
  const all = new Map<string, Json | undefined>([...Object.entries(theirs), ...taken]);
  return Object.fromEntries([...all].filter(([, value]) => value !== undefined));
}

function own(fields: Fields, field: string): Json | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}
