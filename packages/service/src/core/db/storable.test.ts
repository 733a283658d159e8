import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, is, sql } from "drizzle-orm";
import { PgCustomColumn, PgJson, PgTable } from "drizzle-orm/pg-core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestApp, testApp } from "../../testing/app.ts";
import { storableJson } from "./storable.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const tables = join(import.meta.dirname, "..", "tables");
const modules = await Promise.all(
  readdirSync(tables).map((name): Promise<Record<string, unknown>> => import(join(tables, name))),
);
const named = modules
  .flatMap((module) => Object.entries(module))
  .flatMap(([name, table]) => (is(table, PgTable) ? [{ name, columns: getTableColumns(table) }] : []));
const columns = named.flatMap((table) => Object.values(table.columns));

const odd = "one\ud83dtwo\udc00three\0four\\u0000five💥";
const kept = "one�two�three�four\\u0000five💥";

describe("what PostgreSQL does not keep", () => {
  it("is replaced in every text and list of texts that is sent to it", async () => {
    const { rows } = await app.db.execute(sql`SELECT ${odd}::text AS one`);
    expect(rows).toEqual([{ one: kept }]);
    const listed = await app.pool.query("SELECT $1::text[] AS list", [[odd, odd]]);
    expect(listed.rows).toEqual([{ list: [kept, kept] }]);
    const config = await app.pool.query({ text: "SELECT $1::text AS one", values: [odd] });
    expect(config.rows).toEqual([{ one: kept }]);
  });

  it("is replaced in every column that SQL looks into, in values as in names", async () => {
    const looked = columns.filter(
      (column) => /^jsonb?$/.test(column.getSQLType()) && is(column, PgCustomColumn),
    );
    expect(looked.length).toBeGreaterThan(50);
    for (const column of looked) {
      const sent = column.mapToDriverValue({ [odd]: [odd], plain: "\u0007\n" });
      const type = sql.raw(column.getSQLType());
      const { rows } = await app.db.execute(
        sql`SELECT ${sent}::${type} AS read, ${sent}::${type} ->> 'plain' AS plain`,
      );
      const read = { [kept]: [kept], plain: "\u0007\n" };
      expect(rows, column.name).toEqual([{ read, plain: "\u0007\n" }]);
    }
  });

  it("changes nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const whole = JSON.stringify(value).replaceAll("\\u0000", "");
        expect(JSON.parse(storableJson(JSON.parse(whole)))).toEqual(JSON.parse(whole));
      }),
    );
  });
});

const source = join(import.meta.dirname, "..", "..");
const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing"))
  .map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));

it("no column is a jsonb that refuses text, and no statement casts to one but by `asJsonb`", () => {
  const refusing = columns.filter((column) => column.getSQLType() === "jsonb" && !is(column, PgCustomColumn));
  expect(refusing.map(({ name }) => name)).toEqual([]);
  const casts = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}::jsonb/g)].map(([, given]) => `${name}: ${given}`),
  );
  // Added to by `asJsonb` alone.
  const known = ["visitors/chat/attended.ts: chatTurns.pending", "core/db/storable.ts: storableJson(value)"];
  expect(casts.sort()).toEqual(known.sort());
});

it("no statement looks into a column of json that keeps everything as it was written", () => {
  const asWritten = new Set(
    named.flatMap(({ name, columns: own }) =>
      Object.entries(own).flatMap(([key, column]) => (is(column, PgJson) ? [`${name}.${key}`] : [])),
    ),
  );
  expect(asWritten).toContain("evalCases.definition");
  const looks = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:json_\w+\()?\$\{(\w+\.\w+)\}(?:\s*->|\s*#>|\))/g)].flatMap(([whole, column]) =>
      asWritten.has(column!) && /->|#>|^json_/.test(whole) ? [`${name}: ${whole}`] : [],
    ),
  );
  expect(looks).toEqual([]);
});
