/** @module How lists travel: `{items, nextCursor?}`; a missing cursor means the last page. Cursors are opaque. */
import { z } from "zod";

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

/** Query values arrive as text, so the number is read from it; out of range is refused, not clamped. */
export function pageQuery(limit: { max: number; fallback: number }) {
  return z.strictObject({
    cursor: z.string().min(1).optional(),
    limit: z.coerce.number().int().min(1).max(limit.max).default(limit.fallback),
  });
}

export interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}
