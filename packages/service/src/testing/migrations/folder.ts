/** @module Folders of migrations as earlier versions had them, and as a database without the baseline goes through them. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findMigrations } from "../../core/db/migrate.ts";

export const journalOf = (folder: string) => join(folder, "meta", "_journal.json");

/** Copies the migrations until the given one, else all, without the baseline. */
export function copyChain(into: string, until?: string): string {
  const copied = (path: string) => !path.endsWith("_snapshot.json") && !path.endsWith("baseline");
  cpSync(findMigrations(), into, { recursive: true, filter: copied });
  if (until === undefined) return into;
  const { entries, ...rest } = JSON.parse(readFileSync(journalOf(into), "utf8"));
  const last = entries.findIndex(({ tag }: { tag: string }) => tag === until);
  writeFileSync(journalOf(into), JSON.stringify({ ...rest, entries: entries.slice(0, last + 1) }));
  return into;
}
