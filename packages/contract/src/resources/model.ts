/** @module A model that runs, judges and insights may be asked of. */
import { z } from "zod";

export const Model = z
  .looseObject({ id: z.string(), name: z.string().optional(), provider: z.string().optional() })
  .meta({ id: "Model" });
export type Model = z.output<typeof Model>;
