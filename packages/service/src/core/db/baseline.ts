/** @module A new database gets the shape that all migrations lead to at once; each by itself is for databases that have begun with an earlier one. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { z } from "zod";

/** The migrations that a baseline stands for, with what the library notes of each. */
export const Applied = z.array(z.object({ tag: z.string(), when: z.number(), hash: z.string() }));
export type Applied = z.output<typeof Applied>;

export const baselineFiles = (migrationsFolder: string) => ({
  schema: join(migrationsFolder, "baseline", "schema.sql"),
  applied: join(migrationsFolder, "baseline", "applied.json"),
});

/** As the library makes it. */
const bookkeeping = `
create schema if not exists drizzle;
create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);`;

/**
 * Makes the shape and notes its migrations as applied, or does nothing where the folder has no baseline for its migrations. In one
 * message, and so in one transaction: a database that is left by a process killed in between is as it was.
 */
export async function startFromBaseline(
  client: pg.Client,
  migrationsFolder: string,
  migrations: readonly { when: number }[],
): Promise<void> {
  const files = baselineFiles(migrationsFolder);
  if (!existsSync(files.applied)) return;
  const applied = Applied.parse(JSON.parse(readFileSync(files.applied, "utf8")));
  // Never more than the migrations of this folder, which may be those of an earlier version.
  if (applied.some(({ when }, at) => migrations[at]?.when !== when)) return;
  const values = applied.map(({ hash, when }) => `(${client.escapeLiteral(hash)}, ${when})`);
  const noted = `insert into drizzle.__drizzle_migrations (hash, created_at) values ${values.join(", ")};`;
  await client.query(`${bookkeeping}\n${readFileSync(files.schema, "utf8")}\n${noted}`);
}
