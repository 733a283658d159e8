/** @module Reads a small JSON file that may not be there. */

import { readFile } from "node:fs/promises";
import { isExactNumber } from "@fettle/contract/formats";

/** The parsed content; undefined when there is no such file, or when it cannot be read or understood. */
export async function readJsonIfAny(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
