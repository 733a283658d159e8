/** @module What a resource or template is called. */
import type { Json } from "../../lib/json-exact.ts";

export function nameOf(item: Record<string, Json>, otherwise: string): string {
  const name = item.title ?? item.name;
  return typeof name === "string" && name !== "" ? name : otherwise;
}
