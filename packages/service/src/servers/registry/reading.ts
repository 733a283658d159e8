/** @module What was read of a directory, and when that makes no sense. */
import { registryLimits } from "@fettle/contract/servers";
import type { FetchedPage } from "../../core/tables/registry.ts";
import type { Entry } from "./read-entries.ts";

/** What was read of a directory. */
export interface Reading {
  entries: Entry[];
  /** Still there as they were, so that they were not sent again. */
  unchanged: string[];
  skipped: number;
  pages: Record<string, FetchedPage>;
}

/** Says why a directory could not be read, in words for the operator. */
export class SourceFault extends Error {}

export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceFault("It is not JSON.");
  }
}

/** Something that is no directory at all must not empty the one that is there. */
export function requireSense(entries: readonly Entry[], skipped: number): void {
  if (entries.length === 0 && skipped > 0)
    throw new SourceFault("It holds no server in the registry's form.");
  if (entries.length > registryLimits.entries) {
    throw new SourceFault(`It holds more than ${registryLimits.entries} servers.`);
  }
}
