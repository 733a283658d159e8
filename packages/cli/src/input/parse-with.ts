/** @module A document a person wrote, held to its schema. */
import { limits } from "@fettle/contract/core";
import { z } from "zod";
import { usageError } from "../cli-error.ts";

/** A wait that a file asks for, in milliseconds. */
export const waitMs = z.int().positive().max(limits.waitMs);

/** The parsed document, or a usage error that names the place that is wrong. */
export function parseWith<T>(schema: z.ZodType<T>, document: unknown, where: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  throw usageError(`${where}${path === "" ? "" : `: ${path}`}: ${issue?.message ?? "not valid"}.`);
}
