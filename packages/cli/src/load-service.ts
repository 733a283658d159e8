/** @module Loads the service, which no other command needs, with its compiled code kept for the next start (50 ms of 300 saved). */
import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { stateFolder } from "./files/home.ts";
import type { World } from "./world.ts";

export async function loadService(world: World): Promise<typeof import("@fettle/service")> {
  const folder = stateFolder(world);
  // As the service makes its own: run by root, its database is another user, who must be able to pass through.
  mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  // Not in a folder others share: somebody could plant code there.
  enableCompileCache(join(folder, "compile-cache"));
  return import("@fettle/service");
}

/** Only what was typed: the rest is for the environment and the defaults. */
export function onlyTyped(flags: Record<string, string | undefined>): Record<string, string> {
  const typed = Object.entries(flags).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(typed);
}
