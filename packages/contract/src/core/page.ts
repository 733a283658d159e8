/** @module How lists travel: `{items, nextCursor?}`; a missing cursor means the last page. Cursors are opaque. */
import { z } from "zod";
import { limits } from "./limits/limits.ts";

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

/** Where to go on in a list of ours. What it says is opened and sealed where requests are read and answered, for each list by itself. */
export const cursor = z.string().min(1).max(limits.page.cursorLength);

/** The field of a query that takes a cursor, by the operation's own name for it. */
export function cursorFieldOf({ query }: { query?: z.ZodType }): string | undefined {
  if (!(query instanceof z.ZodObject)) return undefined;
  const isCursor = (field: unknown) => field instanceof z.ZodOptional && field.unwrap() === cursor;
  return Object.keys(query.shape).find((name) => isCursor(query.shape[name]));
}

/** Query values arrive as text, so the number is read from it; out of range is refused, not clamped. */
export function pageQuery(limit: { max: number; fallback: number }) {
  return z.strictObject({
    cursor: cursor.optional(),
    limit: z.coerce.number().int().min(1).max(limit.max).default(limit.fallback),
  });
}

/** Of lists that are answered whole unless a limit is sent. */
export const pageOrWholeQuery = z.strictObject({
  cursor: cursor.optional(),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.page.whole.max)
    .optional()
    .describe("Page size (default: all results)"),
});

/** Several words in one value of a query: `a,b`. */
export const commaList = <Word extends z.ZodType<unknown, string>>(word: Word) =>
  z
    .string()
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.array(word));

export interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}
