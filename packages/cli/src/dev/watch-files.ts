/** @module Waits for files to change: every folder below is watched, but for those that others fill. */
import { existsSync, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { operationalError } from "../cli-error.ts";

export interface FileWatch {
  /**
   * What changed since it was last asked, once it has been quiet for a moment. Empty when it was told to stop. A file that came and
   * went meanwhile is no change; what is watched and stays away is an error.
   */
  next(stop: AbortSignal): Promise<string[]>;
  close(): void;
}

/** An editor writes a file in several steps, and a tool many files. */
const quietMs = 150;
/** A build may take a folder away and put it back. */
const awayMs = 10_000;
/** Filled by tools, or written by the server itself: to look again for those would never end. */
const notFollowed =
  /^(\.|node_modules$|__pycache__$)|\.(log|pid|tmp|sw[a-z]|db|sqlite3?)$|(-journal|-wal|-shm|~)$/;

export function watchFiles(given: readonly string[], isOurs: (path: string) => boolean): FileWatch {
  const roots = given.map((path) => resolve(path));
  const watched = new Map<string, FSWatcher>();
  /** The files that were there when it was last quiet: only those can be missed. */
  const known = new Set<string>();
  const changed = new Set<string>();
  let tell = () => {};

  function follow(path: string): void {
    if (watched.has(path) || isOurs(path)) return;
    try {
      if (!statSync(path).isDirectory()) return;
      const watcher = watch(path, (_event, name) => {
        if (watched.get(path) !== watcher) return;
        const file = name === null ? path : join(path, name);
        // Of its own end a folder tells under its own name, as if that were in it.
        if (name === basename(path) && !existsSync(file)) unfollow(path);
        note(file);
      });
      // It was removed, and what holds it tells so.
      watcher.on("error", () => unfollow(path));
      watched.set(path, watcher);
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (notFollowed.test(entry.name)) continue;
        if (entry.isDirectory()) follow(join(path, entry.name));
        else known.add(join(path, entry.name));
      }
    } catch {
      // Gone before it could be watched.
    }
  }

  function note(file: string): void {
    if (notFollowed.test(basename(file)) || isOurs(file)) return;
    changed.add(file);
    if (existsSync(file)) follow(file);
    else unfollow(file);
    tell();
  }

  /** With all below it: what comes back under that name is another folder. */
  function unfollow(path: string): void {
    for (const [each, watcher] of watched) {
      if (each !== path && !each.startsWith(path + sep)) continue;
      watcher.close();
      watched.delete(each);
    }
  }

  function followRoot(root: string): void {
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== false) {
      follow(root);
      return;
    }
    known.add(root);
    // Its folder is asked: an editor puts another file in its place, and a watch would stay with the old one.
    const watcher = watch(dirname(root), (_event, name) => name === basename(root) && note(root));
    watcher.on("error", () => {});
    watched.set(root, watcher);
  }

  /** What is different from when it was last quiet. */
  function settled(): string[] {
    const files = [...changed].filter((file) => {
      if (!existsSync(file)) return known.delete(file);
      known.add(file);
      return true;
    });
    changed.clear();
    return files.toSorted();
  }

  for (const root of roots) followRoot(root);
  return {
    next: (stop) =>
      new Promise((settle, fail) => {
        let timer: NodeJS.Timeout | undefined;
        let awaySince: number | undefined;
        const finish = () => {
          clearTimeout(timer);
          tell = () => {};
          stop.removeEventListener("abort", stopped);
        };
        const stopped = () => {
          finish();
          settle([]);
        };
        const again = () => {
          clearTimeout(timer);
          timer = setTimeout(look, quietMs);
        };
        const look = () => {
          const away = roots.find((root) => !existsSync(root));
          if (away !== undefined) {
            unfollow(away);
            awaySince ??= performance.now();
            if (performance.now() - awaySince < awayMs) return again();
            finish();
            return fail(operationalError(`What was watched is gone: ${away}`));
          }
          awaySince = undefined;
          for (const root of roots) if (!watched.has(root)) returned(root);
          const files = settled();
          if (files.length === 0) return;
          finish();
          settle(files);
        };
        tell = again;
        stop.addEventListener("abort", stopped);
        if (stop.aborted) stopped();
        else if (changed.size > 0) again();
      }),
    close() {
      for (const watcher of watched.values()) watcher.close();
      watched.clear();
    },
  };

  function returned(root: string): void {
    followRoot(root);
    if (watched.has(root)) changed.add(root);
  }
}
