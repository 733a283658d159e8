/** @module What `--out` writes: the same bytes as the report, harmless when shown on a terminal, whole or not at all, before the exit code is decided. */
import { resolve } from "node:path";
import { escapeHidden } from "@fettle/contract";
import { operationalError } from "../cli-error.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import type { World } from "../world.ts";

/** Answers the absolute path written. Redact what you pass: this file may be shared. */
export async function writeOutFile(
  world: Pick<World, "cwd">,
  path: string,
  content: string,
): Promise<string> {
  const target = resolve(world.cwd, path);
  try {
    await writeAtomically(target, escapeHidden(content));
  } catch (cause) {
    throw operationalError(`--out could not be written: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  return target;
}
