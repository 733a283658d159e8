/** @module What `--out` writes: the same bytes as the report, harmless when shown on a terminal, whole or not at all, before the exit code is decided. */
import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { escapeHidden } from "@fettle/contract/formats";
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

/** Refuses, before anything runs, an `--out` that is a folder or whose place is closed. */
export async function refuseUnwritableOut(
  { cwd }: Pick<World, "cwd">,
  out: string | undefined,
): Promise<void> {
  const why = out === undefined ? undefined : await whyUnwritable(resolve(cwd, out));
  if (why === undefined) return;
  throw usageError(`--out ${out} cannot be written: ${why}.`, { hint: "Name another file with --out." });
}

/** Refuses, before anything runs, a report in a folder that is missing: a misspelled one would be made in silence. */
export async function refuseMissingFolder(
  { cwd }: Pick<World, "cwd">,
  { out, mkdir }: { out: string | undefined; mkdir: boolean },
): Promise<void> {
  if (out === undefined || mkdir) return;
  if (await stat(dirname(resolve(cwd, out))).catch(() => undefined)) return;
  throw usageError(`--out ${out} is in a folder that does not exist: ${dirname(out)}.`, {
    hint: "Create the folder, or add --mkdir.",
  });
}

async function whyUnwritable(path: string): Promise<string | undefined> {
  const look = (place: string) => stat(place).catch(() => undefined);
  const found = await look(path);
  if (found?.isDirectory()) return "it is a folder";
  const isStream = found !== undefined && !found.isFile();
  // A file is written beside its old self; folders on the way are made in the nearest that is there.
  let place = isStream ? path : dirname(found ? await realpath(path) : path);
  while (!isStream && !(await look(place)) && place !== dirname(place)) place = dirname(place);
  if (!isStream && !(await look(place))?.isDirectory()) return `${place} is no folder`;
  return access(place, constants.W_OK).then(
    () => undefined,
    () => `${place} may not be written to`,
  );
}

/** Whatever cannot be looked at is told by who reads or writes it. */
async function fileAt(path: string) {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? found : undefined;
}
