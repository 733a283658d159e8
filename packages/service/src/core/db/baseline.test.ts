import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import { expect, test } from "vitest";
import { emptyDatabase } from "../../testing/index.ts";
import { copyChain, journalOf } from "../../testing/migrations/folder.ts";
import { schemaText } from "../../testing/migrations/schema-text.ts";
import { writtenBaseline } from "../../testing/migrations/written-baseline.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { baselineFiles } from "./baseline.ts";
import { findMigrations, migrateDatabase, migrationsIn } from "./migrate.ts";

const tags = migrationsIn(findMigrations()).map(({ tag }) => tag);

async function onDatabase<T>(url: Secret, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  return work(client).finally(() => client.end());
}

const rowsIn = (url: Secret, text: string) =>
  onDatabase(url, async (client) => (await client.query({ text, rowMode: "array" })).rows);

async function byTheChain(): Promise<Secret> {
  const url = await emptyDatabase();
  await migrateDatabase(url, { folder: copyChain(temporaryFolder()) });
  return url;
}

/** All that PostgreSQL knows of what is not its own, without the numbers it gives and the places that dropped columns left. */
const own = "not in ('pg_catalog', 'information_schema', 'pg_toast')";
const surveys = {
  schemas: `select nspname, nspacl from pg_namespace where nspname ${own} order by 1`,
  relations: `select oid::regclass::text, relkind, relpersistence, reloptions, relacl, relrowsecurity, relreplident, obj_description(oid)
    from pg_class where relnamespace::regnamespace::text ${own} order by 1`,
  columns: `select attrelid::regclass::text, rank() over (partition by attrelid order by attnum), attname, format_type(atttypid, atttypmod),
      attnotnull, attidentity, attgenerated, attstorage, attcompression, attcollation::regcollation::text, attstattarget,
      pg_get_expr(adbin, adrelid), col_description(attrelid, attnum)
    from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace::regnamespace::text ${own} and attnum > 0 and not attisdropped order by 1, 2`,
  constraints: `select conrelid::regclass::text, conname, contype, pg_get_constraintdef(oid), convalidated, condeferrable, condeferred,
      conindid::regclass::text
    from pg_constraint where connamespace::regnamespace::text ${own} order by 1, 2`,
  indexes: `select indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisunique, indisprimary, indisvalid, indisclustered
    from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace::regnamespace::text ${own} order by 1`,
  triggers: `select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
  functions: `select pg_get_functiondef(oid), proacl from pg_proc where pronamespace::regnamespace::text ${own} order by 1`,
  sequences: `select pg_sequences.*, deptype, refobjid::regclass::text, refobjsubid
    from pg_sequences left join pg_depend on classid = 'pg_class'::regclass and objid = format('%I.%I', schemaname, sequencename)::regclass
      and refclassid = 'pg_class'::regclass
    order by 1, 2`,
  types: `select typname, typtype, pg_get_expr(typdefaultbin, 0) from pg_type where typnamespace::regnamespace::text ${own} order by 1`,
  others: `select (select count(*) from pg_policy), (select count(*) from pg_rewrite where oid >= 16384), (select count(*) from pg_event_trigger),
    (select count(*) from pg_statistic_ext), (select array_agg(extname) from pg_extension), (select count(*) from pg_default_acl)`,
};

async function surveyOf(url: Secret): Promise<Record<string, unknown>> {
  return onDatabase(url, async (client) => {
    const all = async (text: string) => (await client.query({ text, rowMode: "array" })).rows;
    const survey: Record<string, unknown> = {};
    for (const [what, text] of Object.entries(surveys)) survey[what] = await all(text);
    const tables = await all(
      `select oid::regclass::text from pg_class where relkind = 'r' and relnamespace::regnamespace::text ${own}`,
    );
    for (const [table] of tables) survey[`rows of ${table}`] = await all(`select * from ${table} order by 1`);
    return survey;
  });
}

test("a new database is the same by the baseline as by every migration, bookkeeping included", async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url);
  const survey = await surveyOf(url);
  expect(survey).toEqual(await surveyOf(await byTheChain()));
  expect(survey["rows of drizzle.__drizzle_migrations"]).toHaveLength(tags.length);
});

test("the baseline is that of the migrations as they are (`npm run generate` renews it)", async (context) => {
  await onDatabase(await byTheChain(), async (client) => {
    const { rows } = await client.query("show server_version_num");
    // Another major version words some definitions differently.
    context.skip(!String(rows[0].server_version_num).startsWith("18"));
    const files = baselineFiles(findMigrations());
    expect({
      schema: readFileSync(files.schema, "utf8"),
      applied: readFileSync(files.applied, "utf8"),
    }).toEqual(await writtenBaseline(client));
  });
});

/** The migrations with a baseline that leaves a mark, and one migration more than it knows. */
function laterVersion(): string {
  const folder = temporaryFolder();
  cpSync(findMigrations(), folder, { recursive: true, filter: (path) => !path.endsWith("_snapshot.json") });
  const { schema } = baselineFiles(folder);
  writeFileSync(schema, `${readFileSync(schema, "utf8")}\ncreate table from_baseline (n int);`);
  const journal = JSON.parse(readFileSync(journalOf(folder), "utf8"));
  const last = journal.entries.at(-1);
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_later" };
  writeFileSync(journalOf(folder), JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  writeFileSync(join(folder, "9999_later.sql"), "create table later (n int);");
  return folder;
}

const marks =
  "select to_regclass('from_baseline') is not null, to_regclass('later') is not null, count(*)::int from drizzle.__drizzle_migrations";

test("a later version applies only what is new to a database of the baseline's", async () => {
  const [old, fresh] = [await emptyDatabase(), await emptyDatabase()];
  await migrateDatabase(old);
  const folder = laterVersion();
  await Promise.all([old, fresh].map((url) => migrateDatabase(url, { folder })));
  expect(await rowsIn(old, marks)).toEqual([[false, true, tags.length + 1]]);
  expect(await rowsIn(fresh, marks)).toEqual([[true, true, tags.length + 1]]);
});

test.each([tags[0]!, tags[Math.floor(tags.length / 2)]!, tags.at(-2)!])(
  "a database of the time of %s goes on through the migrations",
  async (tag) => {
    const url = await emptyDatabase();
    await migrateDatabase(url, { folder: copyChain(temporaryFolder(), tag) });
    await migrateDatabase(url, { folder: laterVersion() });
    expect(await rowsIn(url, marks)).toEqual([[false, true, tags.length + 1]]);
  },
);

test("a version that is older than its folder's baseline goes through its own migrations", async () => {
  const url = await emptyDatabase();
  const folder = copyChain(temporaryFolder(), tags[3]);
  cpSync(join(findMigrations(), "baseline"), join(folder, "baseline"), { recursive: true });
  await migrateDatabase(url, { folder });
  expect(await rowsIn(url, "select count(*)::int from drizzle.__drizzle_migrations")).toEqual([[4]]);
});

test("a role that is no superuser makes the same", async () => {
  const url = await emptyDatabase();
  const { pathname } = new URL(url.reveal());
  const role = `plain_${pathname.slice(-12)}`;
  await onDatabase(url, async (client) => {
    await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole password 'plain'`);
    await client.query(`alter database ${pathname.slice(1)} owner to ${role}`);
  });
  const plain = new URL(url.reveal());
  plain.username = role;
  plain.password = "plain";
  await migrateDatabase(new Secret(plain.href));
  const owners =
    "select distinct pg_get_userbyid(relowner) from pg_class where relnamespace = 'public'::regnamespace";
  expect(await rowsIn(url, owners)).toEqual([[role]]);
  expect(await rowsIn(url, surveys.constraints)).toEqual(
    await rowsIn(await byTheChain(), surveys.constraints),
  );
});

test("what migrations may come to hold is written too: rows, used sequences, computed columns", async () => {
  const [first, second] = [await emptyDatabase(), await emptyDatabase()];
  const text = await onDatabase(first, async (client) => {
    await client.query(`
      create sequence tickets start with 5;
      create table kinds (id integer generated by default as identity primary key, name text unique, loud text generated always as (upper(name)) stored);
      create table a_thing (id bigint generated always as identity, kind integer references kinds, "order" text[] default '{a}' check ("order" <> '{}'));
      insert into kinds (name) values ('it''s'), (null);
      insert into a_thing (kind) values (1), (2);
      select nextval('tickets');`);
    return schemaText(client);
  });
  await onDatabase(second, (client) => client.query(text));
  expect(await surveyOf(second)).toEqual(await surveyOf(first));
});
