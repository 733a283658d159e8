/** @module PostgreSQL refuses to run as root. When we are root, it runs as `nobody`, lent just the folders it works in. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "../start-error.ts";

/** Who PostgreSQL runs as, where that is not ourselves; its files must belong to them. */
export type Identity = { uid: number; gid: number } | undefined;

export function chooseIdentity(): Identity {
  if (process.getuid?.() !== 0) return undefined;
  const nobody = findNobody();
  // Root of a container may lack the right to become anybody else, which only trying tells.
  const tried = spawnSync("/bin/sh", ["-c", ":"], { ...nobody, cwd: "/", stdio: "ignore" });
  if (tried.error) {
    throw new StartError(
      "DATABASE_UNREACHABLE_FOLDER",
      `PostgreSQL cannot run as root, and this root may not become the user \`nobody\` (${tried.error.message}).`,
      "Run Fettle as an ordinary user, or set DATABASE_URL.",
      tried.error,
    );
  }
  return nobody;
}

function findNobody(): { uid: number; gid: number } {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  // initdb looks its user up by name, so a number without an entry would not do.
  if (!line) {
    throw new StartError(
      "DATABASE_UNREACHABLE_FOLDER",
      "PostgreSQL cannot run as root, and this machine has no user `nobody` to run it as.",
      "Run Fettle as an ordinary user, or set DATABASE_URL.",
    );
  }
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/** Folders as a program is told of them, and what to hand it along from descriptor 3 on so that it finds them. */
export interface Loan {
  names: string[];
  descriptors: number[];
  /** Ours only: the program keeps its own. */
  close(): void;
}

/**
 * Makes folders reachable for a program that runs as `identity`. Where a folder on the way is closed to it (root's home,
 * say), we open its folder and hand that over: no other folder opens with it, and it takes no capability.
 */
export function lend(identity: Identity, folders: string[]): Loan {
  if (identity === undefined || folders.every((folder) => firstClosedFolder(folder) === undefined)) {
    return { names: folders, descriptors: [], close: () => {} };
  }
  const descriptors = folders.map((folder) => openSync(folder, "r"));
  return {
    names: folders.map((_, index) => `/proc/self/fd/${3 + index}`),
    descriptors,
    close: () => descriptors.forEach(closeSync),
  };
}

/** Where lending is not to be had, a folder behind a closed one is refused before anything is written into it. */
export function requireLendable(identity: Identity, folder: string): void {
  const closed = identity && process.platform !== "linux" ? firstClosedFolder(folder) : undefined;
  if (closed === undefined) return;
  throw new StartError(
    "DATABASE_UNREACHABLE_FOLDER",
    `PostgreSQL cannot run as root, and the user it would run as cannot enter ${closed}.`,
    "Run Fettle as an ordinary user, choose a folder others may enter with --data, or set DATABASE_URL.",
  );
}

/** The outermost existing folder on the way to `path`, itself included, that others may not pass through. */
export function firstClosedFolder(path: string): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : firstClosedFolder(parent);
  if (above !== undefined) return above;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() && (stats.mode & 0o001) === 0 ? path : undefined;
}
