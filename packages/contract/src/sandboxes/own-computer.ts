/** @module A person's own computer in a project, and what stands in its way. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { computerStatuses } from "./words.ts";

export const OwnComputer = z
  .object({
    missingEngine: z
      .object({ message: z.string(), hint: z.string() })
      .nullable()
      .describe("Why nothing can be built or booted here, and what an operator installs; null where it can"),
    computer: z
      .object({
        id: z.string(),
        status: z.enum(computerStatuses),
        error: z.string().optional().describe("Why it failed"),
        imageId: z.string().nullable().describe("Null when the image is gone: it is then made of the base"),
        base: z.string(),
        lastUsedAt: Timestamp,
        createdAt: Timestamp,
      })
      .nullable()
      .describe("Null before the first"),
  })
  .meta({ id: "OwnComputer" });
export type OwnComputer = z.output<typeof OwnComputer>;
