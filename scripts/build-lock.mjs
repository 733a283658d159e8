// One build of a checkout at a time: two at once would take each other's output away.
import { DatabaseSync } from "node:sqlite";

/** Longer than any build takes; who still waits then is told. */
const patienceMs = 30 * 60_000;

/**
 * Waits until no other process holds the file, and holds it until this one ends. The lock is the kernel's, by way of SQLite,
 * so that a process that is killed leaves none behind.
 */
export function holdLock(file) {
  const lock = new DatabaseSync(file);
  try {
    lock.exec("begin exclusive");
  } catch {
    console.error("Waiting for another build of this checkout ...");
    lock.exec(`pragma busy_timeout = ${patienceMs}`);
    lock.exec("begin exclusive");
  }
  // Kept from being collected, which would let it go.
  process.once("exit", () => lock.close());
}
