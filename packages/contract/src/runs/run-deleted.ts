/** @module The answer when a run of any kind was deleted. */
import { z } from "zod";

export const RunDeleted = z
  .object({ id: z.string(), projectId: z.string(), deleted: z.literal(true) })
  .meta({ id: "RunDeleted" });
export type RunDeleted = z.output<typeof RunDeleted>;
