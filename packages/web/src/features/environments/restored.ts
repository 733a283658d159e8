/** @module What came back when an environment was restored: pins of plugin versions that are gone altogether were dropped. */
import type { Environment } from "@fettle/contract/environments";

export interface Restored {
  dropped: string[];
  remaining: string[];
}

export function restoredPins(before: Environment, after: Environment): Restored {
  const remaining = after.pluginVersionIds ?? [];
  return {
    dropped: (before.pluginVersionIds ?? []).filter((id) => !remaining.includes(id)),
    remaining,
  };
}
