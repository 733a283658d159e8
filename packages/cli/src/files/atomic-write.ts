/** @module Writes a file whole or not at all: a temporary file beside it, flushed to disk, then renamed over it. */
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

export interface AtomicWriteOptions {
  /** 0o600 for what holds a secret. */
  mode?: number;
  /** Of folders that had to be made on the way. */
  folderMode?: number;
}

/**
 * Replaces `path` with `content`. On failure the old file is untouched and no temporary file is left.
 *
 * @example
 * await writeAtomically(authFile, JSON.stringify(session), { mode: 0o600, folderMode: 0o700 });
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, folderMode = 0o755 }: AtomicWriteOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  const temporary = `${path}.${await randomSuffix()}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function randomSuffix(): Promise<string> {
  // Loaded when something is written: it costs commands that only read 5 ms.
  const { randomBytes } = await import("node:crypto");
  return randomBytes(6).toString("hex");
}
