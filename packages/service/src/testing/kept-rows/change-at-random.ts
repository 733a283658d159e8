/** @module A process of its own that changes suites' runs and cases and servers' histories at random; started by kept-rows.test.ts. */
import { verdictKinds } from "@fettle/contract/servers";
import pg from "pg";

const [lanes, changes] = [4, 80];
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: lanes });

/** The same numbers for the same seed. */
function seeded(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Pick = (below: number) => number;
const suite = (pick: Pick) => `'ste_${pick(3)}'`;
const server = (pick: Pick) => `'srv_${pick(3)}'`;
const moment = (pick: Pick) => `timestamptz '2026-01-01' + interval '${pick(500)} second'`;
const result = (pick: Pick) => ["'passed'", "'failed'", "NULL"][pick(3)];
const summary = (pick: Pick) => (pick(4) === 0 ? "NULL" : `'{"passRate":${pick(101) / 100}}'`);
/** Some that nobody else is at, as everything that deletes several takes them. */
const some = (table: string, where: string, most: number) =>
  `id IN (SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED)`;

/** Each by chance; the first ones more often. */
const operations: ((pick: Pick, name: string) => string)[] = [
  (
    pick,
    name,
  ) => `INSERT INTO eval_runs (id, project_id, suite_id, run_number, suite_name, status, source, target, minimum_pass_rate, planned,
      is_partial, surface, created_at)
    SELECT '${name}_' || n, 'proj_1', ${suite(pick)}, nextval('event_positions'), 'Suite', 'running', 'api', '{}', 80, 1, ${pick(4) === 0}, 'api', ${moment(pick)}
    FROM generate_series(1, ${1 + pick(3)}) AS n`,
  (pick) => `UPDATE eval_runs SET status = 'completed', result = ${result(pick)}, summary = ${summary(pick)}
    WHERE ${some("eval_runs", `suite_id = ${suite(pick)} AND status = 'running'`, 1 + pick(2))}`,
  (pick, name) => `INSERT INTO server_history (id, server_id, kind, outcome, summary, at, duration_ms)
    SELECT 'hst_' || lpad((${pick(10_000)} * n % 10000)::text, 5, '0') || '_${name}_' || n, ${server(pick)}, '${verdictKinds[pick(verdictKinds.length)]}',
      CASE n % 4 WHEN 0 THEN 'stopped' ELSE 'ok' END, '', now(), 1 FROM generate_series(1, 5) AS n`,
  (pick) =>
    `DELETE FROM server_history WHERE ${some("server_history", `server_id = ${server(pick)}`, 1 + pick(4))}`,
  (pick) =>
    `DELETE FROM server_history WHERE id = (SELECT entry_id FROM server_verdicts WHERE server_id = ${server(pick)} LIMIT 1)`,
  (
    pick,
    name,
  ) => `INSERT INTO eval_cases (id, suite_id, declared_id, position, title, definition, content_hash, created_at, updated_at)
    SELECT '${name}_' || n, ${suite(pick)}, '${name}_' || n, n, 'Case', '{}', '', now(), now() FROM generate_series(1, ${1 + pick(3)}) AS n`,
  (pick) => `DELETE FROM eval_cases WHERE ${some("eval_cases", `suite_id = ${suite(pick)}`, 1 + pick(2))}`,
  (pick) => `UPDATE eval_runs SET result = ${result(pick)}, summary = ${summary(pick)}
    WHERE ${some("eval_runs", `suite_id = ${suite(pick)} AND status = 'completed'`, 1)}`,
  (pick) =>
    `DELETE FROM eval_runs WHERE id = (SELECT latest_run_id FROM eval_suite_tallies WHERE suite_id = ${suite(pick)})`,
  (pick) => `DELETE FROM eval_runs WHERE ${some("eval_runs", "status = 'completed'", 1 + pick(5))}`,
];

async function change(lane: number): Promise<void> {
  const pick = seeded(Number(process.env.SEED) * lanes + lane);
  for (let at = 0; at < changes; at++) {
    const operation = operations[Math.min(pick(operations.length), pick(operations.length))]!;
    await pool.query(operation(pick, `${process.env.SEED}_${lane}_${at}`));
  }
}

await Promise.all(Array.from({ length: lanes }, () => pool.query("SELECT 1")));
process.send?.("ready");
process.once("message", async () => {
  const ends = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => change(lane)));
  process.send?.(ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : [])));
  await pool.end();
  process.disconnect?.();
});
