/** @module The small shapes that a suite file repeats. */
import { limits } from "@fettle/contract";
import { z } from "zod";

/** Ids are declared by authors and never parsed. */
export const opaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, {
  error: "is no id: 1 to 128 letters, digits, - and _",
});

export const nameText = z
  .string()
  .max(limits.suiteFile.nameLength)
  .refine((text) => text.trim() !== "", { error: "is blank" });

/** A share of one. Whoever writes 80 means percent, and is told. */
export const fraction = z.number().min(0).max(1);
