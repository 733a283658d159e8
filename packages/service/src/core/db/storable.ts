/**
 * @module Text as PostgreSQL keeps it. JSON may hold halves of characters (lone surrogates) and the zero character, and servers,
 * models and reporters send them; `jsonb` takes neither, no text takes a zero character, and one of them must not cost what it stands in.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type SQL, sql } from "drizzle-orm";
import type pg from "pg";

const replacement = "\ufffd";

const refusing = new AsyncLocalStorage<true>();

/** What callers themselves have written is refused where it cannot be kept, and not changed: PostgreSQL says no, and the edge answers 400. */
export const refusingUnstorable = <T>(work: () => T): T => refusing.run(true, work);

/** The replacement character stands for what cannot be kept; UTF-8 does the same to halves. */
export const withoutZero = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", replacement) : text;

const storableText = (text: string): string => (refusing.getStore() ? text : withoutZero(text));

/** An escape, from its backslash on: what is escaped twice is plain text. */
const escapes = /\\(u0000|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g;
const unstorable = /\\u(?:0000|[dD][89a-fA-F])/;

/** As JSON for `jsonb`. Whole characters are never escaped by `JSON.stringify`, so a surrogate that is one stands alone. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!unstorable.test(text) || refusing.getStore()) return text;
  return text.replaceAll(escapes, (whole, code: string) => (code.length > 1 ? replacement : whole));
}

/** The same as an operand of a statement. */
export const asJsonb = (value: unknown): SQL => sql`${storableJson(value)}::jsonb`;

/** Whatever is sent beside a statement, wherever it comes from. */
export function sendStorable(client: pg.ClientBase): void {
  // pg declares an overload for each way to ask; what is passed through here is whatever the caller chose.
  type Ask = (...asked: unknown[]) => unknown;
  const ask: Ask = client.query.bind(client);
  const cleaned: Ask = (first, second, ...rest) =>
    Array.isArray(second)
      ? ask(first, second.map(storableValue), ...rest)
      : ask(withValues(first), second, ...rest);
  client.query = cleaned as typeof client.query;
}

function withValues(asked: unknown): unknown {
  if (typeof asked !== "object" || asked === null || !("values" in asked)) return asked;
  const { values } = asked;
  return Array.isArray(values) ? { ...asked, values: values.map(storableValue) } : asked;
}

function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  return Array.isArray(value) ? value.map(storableValue) : value;
}
