/** @module Brings a database to the shape this program expects: forward only, all or nothing, one process at a time. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Secret } from "@fettle/contract/secrets";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { z } from "zod";
import { StartError } from "../start-error.ts";
import { startFromBaseline } from "./baseline.ts";
import { isConnectionFault } from "./pool.ts";

/** Any number will do, as long as every version of Fettle uses the same. */
const lockKey = 7_400_001;

/** From source the folder is beside `src`; in the published bundle it is beside the bundle. */
export function findMigrations(): string {
  const candidates = [
    join(import.meta.dirname, "..", "..", "..", "migrations"),
    join(import.meta.dirname, "migrations"),
  ];
  const found = candidates.find((folder) => existsSync(join(folder, "meta", "_journal.json")));
  if (!found) throw new Error(`no migrations found in ${candidates.join(" or ")}`);
  return found;
}

/**
 * Runs what is missing, in a new database from the baseline on. The whole run is one transaction under an advisory lock, both of which end with the
 * connection: a process killed at any step leaves the database as it was, and never locked. For the same reason it is
 * simply tried again when the database is not there yet, or goes away meanwhile.
 */
export async function migrateDatabase(
  url: Secret,
  { folder = findMigrations(), patienceMs = 30_000 }: { folder?: string; patienceMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await migrateOnce(url, folder);
    } catch (error) {
      if (!isConnectionFault(error)) throw error;
      if (Date.now() > deadline) throw unreachable(error);
      await delay(250);
    }
  }
}

async function migrateOnce(url: Secret, migrationsFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.reveal(), application_name: "fettle migrate" });
  // A lost connection also fails the query that is waiting for it, which is where it is handled.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await refuseNewerDatabase(client, migrationsFolder);
    if ((await lastApplied(client)) === undefined)
      await startFromBaseline(client, migrationsFolder, migrationsIn(migrationsFolder));
    // What nearly every start finds; to see that nothing is left, the library would read and hash every migration.
    if ((await lastApplied(client)) === newestIn(migrationsFolder)) return;
    await runMigrations(drizzle({ client }), { migrationsFolder });
  } finally {
    await client.end();
  }
}

function unreachable(cause: unknown): StartError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StartError(
    "DATABASE_START_FAILED",
    `The database does not answer: ${reason}`,
    "Check that PostgreSQL runs and that DATABASE_URL names it correctly.",
    cause,
  );
}

/** Throws unless the database has exactly the shape this program expects; for who must not change it. */
export async function requireCurrent(url: Secret): Promise<void> {
  const migrationsFolder = findMigrations();
  const client = new pg.Client({
    connectionString: url.reveal(),
    application_name: "fettle admin",
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await refuseNewerDatabase(client, migrationsFolder);
    const last = await lastApplied(client);
    if (last === newestIn(migrationsFolder)) return;
    throw last === undefined
      ? new StartError(
          "DATABASE_NOT_FOUND",
          "Fettle has never used this database.",
          "Check that DATABASE_URL is the one that `fettle serve` uses.",
        )
      : new StartError(
          "DATABASE_OLDER",
          "The database was last used by an older Fettle.",
          "Use the command of that version, or start `fettle serve` of this one, which brings the database up to date.",
        );
  } catch (error) {
    throw error instanceof StartError ? error : unreachable(error);
  } finally {
    await client.end();
  }
}

const Migration = z.object({ tag: z.string(), when: z.number() });
type Migration = z.output<typeof Migration>;
const Journal = z.object({ entries: z.array(Migration) });

/** From the list that the library keeps of them, the oldest first. */
export function migrationsIn(migrationsFolder: string): Migration[] {
  const journal = readFileSync(join(migrationsFolder, "meta", "_journal.json"), "utf8");
  return Journal.parse(JSON.parse(journal)).entries;
}

function newestIn(migrationsFolder: string): number {
  return migrationsIn(migrationsFolder).at(-1)?.when ?? 0;
}

/** Undefined for a database that was never migrated. */
async function lastApplied(client: pg.Client): Promise<number | undefined> {
  const table = await client.query("select to_regclass('drizzle.__drizzle_migrations') as name");
  if (table.rows[0].name === null) return undefined;
  const { rows } = await client.query(
    "select max(created_at)::bigint as last from drizzle.__drizzle_migrations",
  );
  return rows[0].last === null ? undefined : Number(rows[0].last);
}

async function refuseNewerDatabase(client: pg.Client, migrationsFolder: string): Promise<void> {
  if (((await lastApplied(client)) ?? 0) <= newestIn(migrationsFolder)) return;
  throw new StartError(
    "DATABASE_NEWER",
    "The database was used by a newer Fettle, and databases do not go back.",
    "Start that version or a later one, or restore a backup made before the upgrade.",
  );
}
