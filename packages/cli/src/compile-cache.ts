/** @module Keeps what V8 made of our sources, so that the next run need not make it again. */
import { join } from "node:path";
import { stateFolder } from "./files/home.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

/** In the person's own folder: in a shared one, somebody else could leave code for us to run. */
export function keepCompiledCode(world: Pick<World, "env" | "home" | "cwd">): void {
  // Taken here and not imported: an old Node has to get as far as the word about its age.
  const { mkdirSync } = process.getBuiltinModule("node:fs");
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const folder = join(stateFolder(world), "cache", "compiled", version);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // A home that cannot be written costs a few milliseconds, not the command.
    return;
  }
  enableCompileCache(folder);
}
