/** @module An open JSON object inside a closed document: arguments, schemas. Kept as it came, key for key. */
import { z } from "zod";

/** `z.record` would copy, and leave out a key named `__proto__`; what an author wrote is sent as it is. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value),
  { error: "expected an object of JSON values" },
);

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
