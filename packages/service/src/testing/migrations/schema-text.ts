/**
 * @module Writes down what a chain of migrations has made of an empty database, as SQL that makes the same at once. Read from
 * PostgreSQL's own catalog, so that what was written by hand (triggers, functions, partial indexes) is in it like the rest.
 */
import type pg from "pg";

const ours = "'public'::regnamespace";

/** @example `await writeFile("schema.sql", await schemaText(client));` */
export async function schemaText(client: pg.Client): Promise<string> {
  const lines = async (text: string): Promise<string[]> =>
    (await client.query<{ line: string }>(text)).rows.map(({ line }) => line);
  const { rows: tables } = await client.query<Table>(tablesSql);
  const parts = [
    await lines(sequencesSql),
    inOrder(tables).map(({ line }) => line),
    await lines(indexesSql),
    await rowsOf(client, tables),
    await lines(positionsSql),
    await lines(functionsSql),
    // Last, so that none acts on the rows.
    await lines(triggersSql),
  ];
  const texts = parts.filter((part) => part.length > 0).map((part) => part.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

interface Table {
  name: string;
  line: string;
  /** All but those that PostgreSQL computes. */
  columns: string;
  refersTo: string[];
}

/** Each behind those it refers to: a reference costs a third more when it is added to a table that is there. */
function inOrder(tables: readonly Table[]): Table[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const placed: Table[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(({ refersTo }) => !refersTo.some((name) => left.has(name)));
    if (!next) throw new Error(`Tables refer to one another in a circle: ${[...left.keys()].join(", ")}.`);
    placed.push(next);
    left.delete(next.name);
  }
  return placed;
}

/** Those of identity columns come with their table. */
const sequencesSql = `
  select format('CREATE SEQUENCE %I AS %s INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s CACHE %s%s;', relname,
    format_type(seqtypid, null), seqincrement, seqmin, seqmax, seqstart, seqcache, case when seqcycle then ' CYCLE' else '' end) as line
  from pg_sequence join pg_class on oid = seqrelid
  where relnamespace = ${ours}
    and not exists (select from pg_depend where objid = seqrelid and classid = 'pg_class'::regclass and deptype = 'i')
  order by relname`;

const columnSql = `
  format('  %I %s%s%s%s', attname, format_type(atttypid, atttypmod),
    case attidentity
      when '' then ''
      else format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s)', case attidentity when 'a' then 'ALWAYS' else 'BY DEFAULT' end,
        pg_get_serial_sequence(quote_ident(relname), attname)::regclass)
    end,
    case
      when adbin is null then ''
      when attgenerated = 's' then format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid))
      else ' DEFAULT ' || pg_get_expr(adbin, adrelid)
    end,
    case when attnotnull then ' NOT NULL' else '' end)`;

const tablesSql = `
  select quote_ident(relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum)
      from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    array(select distinct confrelid::regclass::text from pg_constraint where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid)
      as "refersTo",
    format(E'CREATE%s TABLE %I (\\n%s\\n)%s;', case relpersistence when 'u' then ' UNLOGGED' else '' end, relname,
      concat_ws(E',\\n',
        (select string_agg(${columnSql}, E',\\n' order by attnum)
          from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped),
        (select string_agg(format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), E',\\n' order by contype desc, conname)
          from pg_constraint where conrelid = pg_class.oid and contype in ('p', 'u', 'c', 'f'))),
      ' WITH (' || array_to_string(reloptions, ', ') || ')') as line
  from pg_class where relnamespace = ${ours} and relkind = 'r' order by relname`;

const indexesSql = `
  select pg_get_indexdef(indexrelid) || ';' as line
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = ${ours} and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  order by relname`;

const functionsSql = `
  select rtrim(pg_get_functiondef(oid), E'\\n') || ';' as line
  from pg_proc where pronamespace = ${ours} order by proname`;

const triggersSql = `
  select pg_get_triggerdef(pg_trigger.oid) || ';' as line
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where relnamespace = ${ours} and not tgisinternal order by relname, tgname`;

/** A sequence that was used goes on where it is. */
const positionsSql = `
  select format('SELECT setval(%L, %s);', sequencename, last_value) as line
  from pg_sequences where schemaname = 'public' and last_value is not null order by sequencename`;

async function rowsOf(client: pg.Client, tables: readonly Table[]): Promise<string[]> {
  const inserts: string[] = [];
  for (const { name, columns } of inOrder(tables)) {
    const { rows } = await client.query<{ all: string | null }>(
      `select json_agg(t)::text as all from ${name} t`,
    );
    const all = rows[0]?.all;
    if (all === null || all === undefined) continue;
    const records = `json_populate_recordset(NULL::${name}, ${client.escapeLiteral(all)})`;
    inserts.push(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${records};`,
    );
  }
  return inserts;
}
