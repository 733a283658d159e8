/** @module The committed file that holds a server's surface: written so that a review shows what changed, read with care. */
import { parseExactNumbers } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { type Surface, type SurfaceSection, surfaceSections } from "./surface.ts";

export interface SurfaceLock extends Surface {
  kind: "surface-lock";
  schemaVersion: 1;
}

/** The same surface gives the same bytes; no date, no address, no version of anything that changes by itself. */
export function writeLock(surface: Surface): string {
  const lock: SurfaceLock = { kind: "surface-lock", schemaVersion: 1, ...surface };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

const isDefinitions = (value: unknown): value is Record<string, JsonObject> =>
  isObject(value) && Object.values(value).every(isObject);

export type LockReading = { ok: true; surface: Surface } | { ok: false; reason: string };

export function readLock(text: string): LockReading {
  let lock: unknown;
  try {
    lock = parseExactNumbers(text);
  } catch {
    return { ok: false, reason: "it is not JSON" };
  }
  if (!isObject(lock) || lock.kind !== "surface-lock")
    return { ok: false, reason: "it is not a surface lock" };
  if (lock.schemaVersion !== 1)
    return { ok: false, reason: `its schemaVersion is ${String(lock.schemaVersion)}, not 1` };
  const { kind: _kind, schemaVersion: _schemaVersion, capabilities = {}, instructions } = lock;
  const surface: Surface = {
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(typeof instructions === "string" && { instructions }),
  };
  for (const name of surfaceSections) {
    const section = lock[name];
    if (section === undefined) continue;
    if (!isDefinitions(section)) {
      return { ok: false, reason: `its "${name}" is not an object of definitions` };
    }
    surface[name] = section;
  }
  return { ok: true, surface };
}

/** The sections a lock leaves out, so that a check leaves them out too. */
export function skippedSections(surface: Surface): SurfaceSection[] {
  return surfaceSections.filter((name) => surface[name] === undefined);
}
