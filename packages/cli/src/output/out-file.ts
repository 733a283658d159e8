/** @module What `--out` writes: the same bytes as the report, harmless when shown on a terminal, whole or not at all, before the exit code is decided. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { escapeHidden } from "@fettle/contract";
import { operationalError, usageError } from "../cli-error.ts";
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

/** Refuses, before anything runs, an `--out` that would replace a file the command reads, by whatever name. */
export async function refuseOutOverInput(
  { cwd }: Pick<World, "cwd">,
  out: string | undefined,
  inputs: readonly (string | undefined)[],
): Promise<void> {
  const target = out === undefined ? undefined : await fileAt(resolve(cwd, out));
  if (!target) return;
  for (const input of inputs) {
    const read = input === undefined || input === "-" ? undefined : await fileAt(resolve(cwd, input));
    if (read?.ino === target.ino && read.dev === target.dev) {
      throw usageError(`--out ${out} would replace ${input}, which this command reads.`, {
        hint: "Name another file with --out.",
      });
    }
  }
}

/** Whatever cannot be looked at is told by who reads or writes it. */
async function fileAt(path: string) {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? found : undefined;
}
