/** @module An id in a request: any text is taken, and what is done with it is to look it up as an id of this kind. */
import { z } from "zod";
import type { IdKind } from "./id-prefixes.ts";

/**
 * Reads as its text and is documented as text; only its type says which kind of thing is looked for. Nothing is parsed from an
 * id, so nothing is checked here: one that belongs to nothing is not found.
 *
 * @example
 * z.strictObject({ serverIds: z.array(idOf<"server">()).min(1) })
 */
export function idOf<Kind extends IdKind>(text: z.ZodString = z.string().min(1)) {
  return text.brand<Kind>();
}
