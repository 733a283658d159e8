/** @module One owner per data folder. The lock is the operating system's, so it ends with its holder, however that ends. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../start-error.ts";

/** Who owns a data folder, and how its database is reached; written for people and for `fettle work` beside it. */
export interface Owner {
  pid: number;
  startedAt: number;
  /** Set once the database answers. */
  databaseUrl?: string;
  /** The address people use, set once the service answers; a worker or a command has none. */
  serviceUrl?: string;
}

export interface FolderLock {
  /** Says how the database or the service is reached. */
  publish(reached: Pick<Owner, "databaseUrl" | "serviceUrl">): void;
  release(): void;
}

const ownerFile = (folder: string) => join(folder, "owner.json");

/** Stays when its service is gone: most start again where they were. */
const lastAddressFile = (folder: string) => join(folder, "last-address");

/** Where the last service on this folder answered, if there was one. */
export function readLastAddress(folder: string): string | undefined {
  try {
    return new URL(readFileSync(lastAddressFile(folder), "utf8")).origin;
  } catch {
    return undefined;
  }
}

/** The owner as last written; it may be dead, so this alone proves nothing. */
export function readOwner(folder: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(folder), "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

/**
 * Takes the folder or refuses, naming who has it. An exclusive SQLite transaction is the portable way to a kernel file
 * lock in Node: a pid file would outlive `kill -9`, and would lie once the pid is used again.
 */
export function lockFolder(folder: string): FolderLock {
  const file = new DatabaseSync(join(folder, "lock"));
  try {
    file.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    file.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === 5)) throw error;
    const owner = readOwner(folder);
    const who = owner ? `process ${owner.pid}` : "another process";
    throw new StartError(
      "DATA_FOLDER_IN_USE",
      `The data folder ${folder} is in use by ${who}.`,
      "Stop it first, choose another folder with --data, or set DATABASE_URL to run several processes on one database.",
      error,
    );
  }
  const owner: Owner = { pid: process.pid, startedAt: Date.now() };
  const write = () => writeFileSync(ownerFile(folder), JSON.stringify(owner), { mode: 0o600 });
  write();
  return {
    publish: (reached) => {
      Object.assign(owner, reached);
      write();
      if (reached.serviceUrl) writeFileSync(lastAddressFile(folder), reached.serviceUrl, { mode: 0o600 });
    },
    release: () => {
      rmSync(ownerFile(folder), { force: true });
      file.close();
    },
  };
}
