/** What triggers keep for lists: the latest verdicts, and what a list shows of suites. It agrees with a recount whatever happened to the rows. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { emptyDatabase } from "../../testing/index.ts";
import { disagreements } from "../../testing/kept-rows/recount.ts";
import { copyChain } from "../../testing/migrations/folder.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { migrateDatabase } from "./migrate.ts";

const before = "0058_deleted-runs";
const world = `
  INSERT INTO organizations (id, name) VALUES ('org_1', 'Acme');
  INSERT INTO projects (id, organization_id, name) VALUES ('proj_1', 'org_1', 'Shop');
  INSERT INTO eval_suites (id, project_id, name, origin, settings, created_at, updated_at)
    SELECT 'ste_' || n, 'proj_1', 'Suite', 'app', '{}', now(), now() FROM generate_series(0, 2) AS n;
  INSERT INTO servers (id, project_id, name, transport_type, sealed)
    SELECT 'srv_' || n, 'proj_1', 'Server ' || n, 'http', '' FROM generate_series(0, 2) AS n;`;

async function connected(url: Secret) {
  const pool = new pg.Pool({ connectionString: url.reveal() });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

/** Two processes, each over several connections at once. What went wrong in them. */
async function changeAtRandom(url: Secret): Promise<unknown[]> {
  const children = [1, 2].map((seed) =>
    fork(new URL("../../testing/kept-rows/change-at-random.ts", import.meta.url), {
      env: { ...process.env, DATABASE_URL: url.reveal(), SEED: String(seed) },
    }),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) child.send("go");
  const faults = await Promise.all(children.map(async (child) => (await once(child, "message"))[0]));
  await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
  return faults.flat();
}

test("kept rows agree with a recount after two processes have changed everything at random", async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url);
  await using pool = await connected(url);
  await pool.query(world);
  expect(await changeAtRandom(url)).toEqual([]);
  const { rows } =
    await pool.query(`SELECT (SELECT count(*) FROM eval_suite_tallies WHERE runs > 3 AND cases > 3)::int AS suites,
    (SELECT count(*) FROM server_verdicts)::int AS verdicts`);
  // There is something to be wrong about.
  expect(rows[0].suites).toBe(3);
  expect(rows[0].verdicts).toBeGreaterThan(5);
  expect(await disagreements(pool)).toEqual([]);
  // As a project's end takes them.
  await pool.query("DELETE FROM eval_suites WHERE id = 'ste_1'; DELETE FROM servers WHERE id = 'srv_1'");
  expect(await disagreements(pool)).toEqual([]);
  await pool.query("DELETE FROM organizations");
  expect((await pool.query("SELECT FROM eval_suite_tallies")).rowCount).toBe(0);
  expect((await pool.query("SELECT FROM server_verdicts")).rowCount).toBe(0);
});

/** The second statement is begun while the first is not committed, and has to wait for it. */
async function overlapping(pool: pg.Pool, first: string, second: string): Promise<void> {
  const client = await pool.connect();
  await client.query("BEGIN");
  await client.query(first);
  const waiting = pool.query(second);
  const waits =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect((await pool.query(waits)).rowCount).toBe(1), { timeout: 60_000 });
  await client.query("COMMIT");
  client.release();
  await waiting;
}

test("what two transactions write at once is kept of both", async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url);
  await using pool = await connected(url);
  await pool.query(world);
  const run = (
    id: string,
  ) => `INSERT INTO eval_runs (id, project_id, suite_id, run_number, suite_name, status, source, target,
    minimum_pass_rate, planned, surface, created_at) VALUES ('${id}', 'proj_1', 'ste_1', nextval('event_positions'), 'Suite', 'running', 'api',
    '{}', 80, 1, 'api', now())`;
  const end = (id: string) =>
    `UPDATE eval_runs SET status = 'completed', result = 'passed', summary = '{"passRate":1}' WHERE id = '${id}'`;
  const check = (
    id: string,
  ) => `INSERT INTO server_history (id, server_id, kind, outcome, summary, at, duration_ms)
    VALUES ('${id}', 'srv_1', 'doctor', 'ok', '', now(), 1)`;
  await overlapping(pool, run("run_1"), run("run_2"));
  await overlapping(pool, end("run_1"), end("run_2"));
  for (const id of ["hst_1", "hst_3"]) await pool.query(check(id));
  // The latest goes while the one before it is on its way.
  await overlapping(pool, check("hst_2"), "DELETE FROM server_history WHERE id = 'hst_3'");
  expect(await disagreements(pool)).toEqual([]);
  expect((await pool.query("SELECT entry_id FROM server_verdicts")).rows).toEqual([{ entry_id: "hst_2" }]);
  await overlapping(
    pool,
    "DELETE FROM eval_runs WHERE id = 'run_1'",
    "DELETE FROM eval_runs WHERE id = 'run_2'",
  );
  expect(await disagreements(pool)).toEqual([]);
});

test("they are filled in for what an older version wrote, and kept for what its processes go on writing", async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url, { folder: copyChain(temporaryFolder(), before) });
  await using pool = await connected(url);
  await pool.query(world);
  expect(await changeAtRandomBefore(pool, 1)).toBe(40);
  await migrateDatabase(url);
  expect(await disagreements(pool)).toEqual([]);
  // The same statements, which name nothing that is new.
  expect(await changeAtRandomBefore(pool, 2)).toBe(40);
  expect(await disagreements(pool)).toEqual([]);
  const { rows } = await pool.query(
    "SELECT count(*)::int AS placed FROM eval_iterations WHERE project_id = 'proj_1'",
  );
  expect(rows).toEqual([{ placed: 80 }]);
});

/** Runs with iterations, cases and checks, as the version before writes them. Answers how many runs it made. */
async function changeAtRandomBefore(pool: pg.Pool, seed: number): Promise<number> {
  const { rowCount } = await pool.query(`
    INSERT INTO eval_runs (id, project_id, suite_id, run_number, suite_name, status, result, source, target, minimum_pass_rate, planned,
      summary, is_partial, surface, created_at)
    SELECT 'run_${seed}_' || n, 'proj_1', 'ste_' || n % 3, ${seed * 100} + n, 'Suite', 'completed', CASE n % 4 WHEN 0 THEN 'failed' ELSE 'passed' END,
      'api', '{}', 80, 1, json_build_object('passRate', n / 40.0), n % 7 = 0, 'api', now() + n * interval '1 second' FROM generate_series(1, 40) AS n`);
  await pool.query(`
    INSERT INTO eval_iterations (id, run_id, ordinal, case_key, title, iteration_number, status, has_trace)
      SELECT 'itr_${seed}_' || n, 'run_${seed}_' || n, 0, 'case', 'Case', 1, 'completed', true FROM generate_series(1, 40) AS n;
    INSERT INTO eval_cases (id, suite_id, declared_id, position, title, definition, content_hash, created_at, updated_at)
      SELECT 'cas_${seed}_' || n, 'ste_' || n % 3, 'case-${seed}-' || n, n, 'Case', '{}', '', now(), now() FROM generate_series(1, 10) AS n;
    INSERT INTO server_history (id, server_id, kind, outcome, summary, at, duration_ms)
      SELECT 'hst_${seed}_' || n, 'srv_' || n % 3, CASE n % 2 WHEN 0 THEN 'doctor' ELSE 'tool' END, CASE n % 5 WHEN 0 THEN 'stopped' ELSE 'ok' END,
        '', now(), 1 FROM generate_series(1, 40) AS n`);
  return rowCount ?? 0;
}
