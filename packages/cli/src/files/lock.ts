/** @module One process at a time, by a file that only one can create. A lock whose owner died is taken over. */
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { operationalError } from "../cli-error.ts";
import { makeFolder } from "./make-folder.ts";

export interface LockOptions {
  /** How long to wait for the owner. */
  patienceMs?: number;
  /** An owner that has held it this long is dead: nothing done under a lock takes longer. */
  staleMs?: number;
}

/**
 * Runs `work` while holding `path`.
 *
 * @example
 * await withLock(`${file}.lock`, () => refresh(file));
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  { patienceMs = 15_000, staleMs = 30_000 }: LockOptions = {},
): Promise<T> {
  await acquire(path, patienceMs, staleMs);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string, patienceMs: number, staleMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  // What is locked may not exist yet, nor the state folder it will be in.
  await makeFolder(dirname(path), 0o700);
  while (!(await tryCreate(path))) {
    await breakIfStale(path, staleMs);
    if (Date.now() > deadline) {
      throw operationalError(`Another fettle holds ${path}.`, {
        hint: "If none is running, delete that file.",
      });
    }
    await delay(20 + Math.random() * 30);
  }
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Renamed before it is removed: of two who find it stale, one gets it, and neither removes a lock that is new. */
async function breakIfStale(path: string, staleMs: number): Promise<void> {
  const held = await stat(path).catch(() => undefined);
  if (!held || Date.now() - held.mtimeMs < staleMs) return;
  const aside = `${path}.${process.pid}.stale`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { force: true });
}
