/** @module During an upgrade, processes of the version before work beside new ones, on the database as the new ones have migrated it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import { expect, test } from "vitest";
import { emptyDatabase } from "../../testing/index.ts";
import { copyChain } from "../../testing/migrations/folder.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { migrateDatabase } from "./migrate.ts";

const migrations = join(import.meta.dirname, "..", "..", "..", "migrations");
async function connected(url: Secret) {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  return {
    rows: async (text: string) => (await client.query(text)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

test("a process from before the tallies reads scenarios and counts their sessions, and none is lost", async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url, { folder: copyChain(temporaryFolder(), "0051_agent-proposal-reasons") });
  await using database = await connected(url);
  // Alone, without the project that it belongs to.
  await database.rows(`set session_replication_role = replica;
    insert into scenarios (id, project_id, environment_id, name, mode, feedback, guest_execution, link_hash, sealed_link,
      session_count, synthetic_count, created_at, updated_at)
    values ('scn_1', 'proj_1', 'env_1', 'Shop', 'anyone_with_link', 'off', '{}', 'hash', 'sealed', 3, 0, now(), now());
    set session_replication_role = origin;`);
  await migrateDatabase(url);

  const before = "select session_count, synthetic_count from scenarios where id = 'scn_1'";
  expect(await database.rows(before)).toEqual([{ session_count: 3, synthetic_count: 0 }]);
  const count = (column: string) =>
    database.rows(`update scenarios set ${column} = ${column} + 1 where id = 'scn_1' returning id`);
  expect(await count("session_count")).toHaveLength(1);
  expect(await count("session_count")).toHaveLength(1);
  expect(await count("synthetic_count")).toHaveLength(1);
  expect(await database.rows(before)).toEqual([{ session_count: 5, synthetic_count: 1 }]);
  const tallies = `select population, sum(sessions)::integer as sessions from scenario_tallies group by 1 order by 1`;
  expect(await database.rows(tallies)).toEqual([
    { population: "real", sessions: 5 },
    { population: "synthetic", sessions: 1 },
  ]);
});

/** The last that broke what processes of the version before it do; 0056 mends it. */
const lastBreaking = "0052_scenario-tallies.sql";

/** What a process that knows nothing of it still names, or does not say. */
const breaking = [
  /\bdrop (column|table)\b/i,
  /\brename (column|to)\b/i,
  /\bset not null\b/i,
  /\bset data type\b/i,
  /\badd column (?!.*\bdefault\b).*\bnot null\b/i,
];

test("no migration takes away or demands what a process of the version before does not know", () => {
  const later = readdirSync(migrations).filter((name) => name.endsWith(".sql") && name > lastBreaking);
  expect(later.length).toBeGreaterThan(2);
  const found = later.flatMap((name) =>
    readFileSync(join(migrations, name), "utf8")
      .split("\n")
      // A later version drops what this one has stopped naming, and says so there.
      .filter((line) => !line.trimEnd().endsWith("-- unnamed since the version before"))
      .filter((line) => !line.startsWith("--") && breaking.some((pattern) => pattern.test(line)))
      .map((line) => `${name}: ${line}`),
  );
  expect(found).toEqual([]);
});
