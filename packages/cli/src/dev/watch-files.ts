/** @module Waits for files to change: every folder below is watched, but for those that others fill. */
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, join, resolve } from "node:path";

export interface FileWatch {
  /** What changed since it was last asked, once it has been quiet for a moment. Empty when it was told to stop. */
  next(stop: AbortSignal): Promise<string[]>;
  close(): void;
}

/** An editor writes a file in several steps, and a tool many files. */
const quietMs = 150;
/** Filled by tools, or written by the server itself: to look again for those would never end. */
const notFollowed =
  /^(\.|node_modules$|__pycache__$)|\.(log|pid|tmp|sw[a-z]|db|sqlite3?)$|(-journal|-wal|-shm|~)$/;

export function watchFiles(roots: readonly string[], isOurs: (path: string) => boolean): FileWatch {
  const watched = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let tell = () => {};

  function follow(path: string): void {
    if (watched.has(path) || isOurs(path)) return;
    try {
      const isFolder = statSync(path).isDirectory();
      const watcher = watch(path, (_event, name) => {
        const file = isFolder && name !== null ? join(path, name) : path;
        if (notFollowed.test(basename(file)) || isOurs(file)) return;
        changed.add(file);
        if (isFolder) follow(file);
        tell();
      });
      // It was removed, and what holds it tells so.
      watcher.on("error", () => unfollow(path));
      watched.set(path, watcher);
      if (!isFolder) return;
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (entry.isDirectory() && !notFollowed.test(entry.name)) follow(join(path, entry.name));
      }
    } catch {
      // Gone before it could be watched.
    }
  }

  function unfollow(path: string): void {
    watched.get(path)?.close();
    watched.delete(path);
  }

  for (const root of roots) follow(resolve(root));
  return {
    next: (stop) =>
      new Promise((settle) => {
        let timer: NodeJS.Timeout | undefined;
        const end = () => {
          clearTimeout(timer);
          tell = () => {};
          stop.removeEventListener("abort", end);
          const files = [...changed].toSorted();
          changed.clear();
          settle(files);
        };
        tell = () => {
          clearTimeout(timer);
          timer = setTimeout(end, quietMs);
        };
        stop.addEventListener("abort", end);
        if (stop.aborted) end();
        else if (changed.size > 0) tell();
      }),
    close() {
      for (const path of [...watched.keys()]) unfollow(path);
    },
  };
}
