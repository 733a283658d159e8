/**
 * @module Writes a file whole or not at all: a temporary file beside it, flushed to disk, then renamed over it. Links stay links,
 * and what is no file (a device, a pipe) is written to, never replaced.
 */
import { open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeFolder } from "./make-folder.ts";

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
  await makeFolder(dirname(path), folderMode);
  const target = await behindLinks(path);
  if (await isStream(target)) return writeFile(target, content);
  const temporary = `${target}.${await randomSuffix()}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The file that a chain of links leads to, which need not be there yet. */
async function behindLinks(path: string): Promise<string> {
  let target = path;
  for (let hops = 0; hops < mostLinks; hops += 1) {
    const real = await realpath(target).catch(unlessMissing);
    if (real !== undefined) return real;
    const next = await readlink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  return target;
}

/** As many as Linux follows. */
const mostLinks = 40;

async function isStream(path: string): Promise<boolean> {
  const found = await stat(path).catch(unlessMissing);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function randomSuffix(): Promise<string> {
  // Loaded when something is written: it costs commands that only read 5 ms.
  const { randomBytes } = await import("node:crypto");
  return randomBytes(6).toString("hex");
}
