/** @module The address of an inspector that a person names. Free of schemas: the quick commands load it. */
import { usageError } from "../cli-error.ts";
import type { World } from "../world.ts";

/** Before anything is asked of any server. */
export function refuseNoInspectorUrl(world: World, given: string | undefined): void {
  const elsewhere = given ?? world.env.FETTLE_INSPECTOR_URL;
  if (elsewhere !== undefined) originOf(elsewhere);
}

export function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw usageError(`"${text}" is no address of an inspector; http://127.0.0.1:7410 is one.`);
}
