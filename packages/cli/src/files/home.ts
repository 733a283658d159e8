/** @module Where Fettle keeps what it remembers about this person: `~/.fettle`, or `FETTLE_HOME`. */
import { join, resolve } from "node:path";
import type { World } from "../world.ts";

export function stateFolder({ env, home, cwd }: Pick<World, "env" | "home" | "cwd">): string {
  return env.FETTLE_HOME ? resolve(cwd, env.FETTLE_HOME) : join(home, ".fettle");
}

export function authFile(world: Pick<World, "env" | "home" | "cwd">): string {
  return world.env.FETTLE_AUTH_FILE
    ? resolve(world.cwd, world.env.FETTLE_AUTH_FILE)
    : join(stateFolder(world), "auth.json");
}

export function telemetryFile(world: Pick<World, "env" | "home" | "cwd">): string {
  return join(stateFolder(world), "telemetry.json");
}

export function updateFile(world: Pick<World, "env" | "home" | "cwd">): string {
  return join(stateFolder(world), "update-check.json");
}
