/** @module Who wrote something last, for pages that say whose change it is. */
import { z } from "zod";

export const Author = z
  .object({ userId: z.string(), name: z.string() })
  .nullable()
  .describe("Who changed it last; null when that is not known any more")
  .meta({ id: "Author" });
export type Author = z.output<typeof Author>;
