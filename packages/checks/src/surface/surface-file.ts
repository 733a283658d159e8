/** @module A server's surface from a file: a lock, or what `server export` wrote. Each is compared in what both sides know. */
import { parseExactNumbers, sortKeys } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { exportedFields, pick } from "../diagnostics/export-server.ts";
import { readLock, skippedSections } from "./lock-file.ts";
import { type Surface, surfaceSections } from "./surface.ts";

export interface FiledSurface {
  surface: Surface;
  /** An export keeps less of a definition than a lock does. */
  kind: "lock" | "export";
}

export type SurfaceFileReading = ({ ok: true } & FiledSurface) | { ok: false; reason: string };

export function readSurfaceFile(text: string): SurfaceFileReading {
  let document: unknown;
  try {
    document = parseExactNumbers(text);
  } catch {
    return { ok: false, reason: "it is not JSON" };
  }
  if (isObject(document) && document.kind === "surface-lock") {
    const lock = readLock(text);
    return lock.ok ? { ok: true, kind: "lock", surface: lock.surface } : lock;
  }
  return readExport(document);
}

function readExport(document: unknown): SurfaceFileReading {
  if (!isObject(document) || !isObject(document.initInfo)) {
    return { ok: false, reason: "it is neither a surface lock nor what `fettle server export` writes" };
  }
  const { capabilities } = document;
  const surface: Surface = { capabilities: sortKeys(isObject(capabilities) ? capabilities : {}) };
  for (const section of surfaceSections) {
    const items = document[section];
    if (!Array.isArray(items) || !items.every(isObject)) {
      return { ok: false, reason: `its "${section}" is not a list of definitions` };
    }
    const { key } = exportedFields[section];
    surface[section] = Object.fromEntries(items.map((item) => [String(item[key]), sortKeys(item)]));
  }
  return { ok: true, kind: "export", surface };
}

/** Both sides reduced to what both of them hold, so that nothing seems changed that only one was asked about. */
export function comparable(before: FiledSurface, after: FiledSurface): [Surface, Surface] {
  const skipped = new Set([...skippedSections(before.surface), ...skippedSections(after.surface)]);
  const exported = before.kind === "export" || after.kind === "export";
  const reduce = ({ capabilities, instructions, ...sections }: Surface): Surface => {
    const reduced: Surface = {
      capabilities,
      ...(instructions !== undefined && !exported && { instructions }),
    };
    for (const name of surfaceSections) {
      const section = sections[name];
      if (!section || skipped.has(name)) continue;
      reduced[name] = exported
        ? mapValues(section, (item) => pick(item, exportedFields[name].fields))
        : section;
    }
    return reduced;
  };
  return [reduce(before.surface), reduce(after.surface)];
}

function mapValues(
  record: Record<string, JsonObject>,
  change: (item: JsonObject) => JsonObject,
): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, change(item)]));
}
