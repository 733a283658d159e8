import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { emptyDatabase } from "../../testing/index.ts";
import { copyChain } from "../../testing/migrations/folder.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { baselineFiles } from "./baseline.ts";
import { migrateDatabase } from "./migrate.ts";

const migrations = join(import.meta.dirname, "..", "..", "..", "migrations");

async function query(url: Secret, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const appliedCount = "select count(*)::int as n from drizzle.__drizzle_migrations";
const expectedCount = readdirSync(migrations).filter((name) => name.endsWith(".sql")).length;

/** The migrations with one statement more, after the given one, that ends the connection as `kill -9` would. */
function dyingAfter(step: number, of: "baseline" | "migrations"): string {
  const folder = copyChain(temporaryFolder());
  if (of === "baseline") cpSync(join(migrations, "baseline"), join(folder, "baseline"), { recursive: true });
  const [first] = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const [file, separator] =
    of === "baseline"
      ? [baselineFiles(folder).schema, ";\n"]
      : [join(folder, first!), "--> statement-breakpoint"];
  const statements = readFileSync(file, "utf8").split(separator);
  statements.splice(step, 0, "select pg_terminate_backend(pg_backend_pid())");
  writeFileSync(file, statements.join(`;${separator}`));
  return folder;
}

describe("migrating", () => {
  test.each(["baseline", "migrations"])(
    "twenty starters at once begin once, by the %s, and all succeed",
    async (by) => {
      const url = await emptyDatabase();
      const folder = by === "baseline" ? migrations : copyChain(temporaryFolder());
      await Promise.all(Array.from({ length: 20 }, () => migrateDatabase(url, { folder })));
      expect(await query(url, appliedCount)).toEqual([{ n: expectedCount }]);
    },
  );

  test.each([
    [1, "migrations"],
    [9, "migrations"],
    [1, "baseline"],
    [40, "baseline"],
    [200, "baseline"],
  ] as const)("killed after step %i of the %s, the next start succeeds", async (step, of) => {
    const url = await emptyDatabase();
    await expect(migrateDatabase(url, { folder: dyingAfter(step, of), patienceMs: 0 })).rejects.toMatchObject(
      {
        code: "DATABASE_START_FAILED",
      },
    );
    expect(await query(url, "select count(*)::int as n from pg_tables where schemaname = 'public'")).toEqual([
      { n: 0 },
    ]);
    await migrateDatabase(url);
    expect(await query(url, appliedCount)).toEqual([{ n: expectedCount }]);
  });

  test("a database that a newer program has migrated is refused, and left alone", async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url);
    await query(
      url,
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)",
    );
    await expect(migrateDatabase(url)).rejects.toMatchObject({ code: "DATABASE_NEWER" });
  });

  test("a database that is not there is reported with a hint, and without its password", async () => {
    const elsewhere = new Secret("postgres://u:canary-pw@127.0.0.1:1/nope");
    const refusal = await migrateDatabase(elsewhere, { patienceMs: 0 }).catch((error: Error) => error);
    expect(refusal).toMatchObject({
      code: "DATABASE_START_FAILED",
      hint: expect.stringContaining("DATABASE_URL"),
    });
    expect(String(refusal)).not.toContain("canary-pw");
  });
});
