/** @module An open JSON object inside a closed document, such as the arguments of a call. */
import { z } from "zod";

type Json = Record<string, unknown>;

/**
 * Kept as it came, key for key: `z.record` would copy, and
 * leave out a key named `__proto__`.
 */
export const jsonObject = z
  .unknown()
  .refine((value) => typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value), {
    error: "expected an object of JSON values",
    // Whoever looks closer, after this, may count on an object.
    abort: true,
  })
  // What was just checked is what the type says; a custom schema would say the same, and cannot be documented.
  .meta({ type: "object" }) as z.ZodType<Json, Json>;

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
