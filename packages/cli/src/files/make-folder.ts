/** @module Makes a folder with all that lead to it. Node's own way tries for ever where a file system takes no folders, as `/proc` does. */
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * @example
 * await makeFolder(join(home, ".fettle", "cache"), 0o700);
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there) return;
  if (dirname(path) !== path) await makeFolder(dirname(path), mode);
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    // Somebody else was as quick.
    if (error.code !== "EEXIST") throw error;
  });
}
