/**
 * @module vitest's global setup: temporary folders lie in memory where the machine has enough of it. A database is a thousand
 * files; on a disk their making costs ten times the processor time.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const prefix = "fettle-run-";
/** The whole run needs about one; the rest is for what else the machine does. */
const neededBytes = 4 * 2 ** 30;

export function setup(): (() => void) | undefined {
  if (!existsSync(memory) || freeBytes(memory) < neededBytes) return;
  forgetDeadRuns();
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  // The database's own user goes through it.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!runsPrograms(folder)) {
    remove();
    return;
  }
  // Variables, because tests run in child processes. What Node made of the sources is kept for the next of the hundreds of
  // processes that tests start: it halves what such a start costs.
  const given = { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, "compiled") };
  const usual = Object.keys(given).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, given);
  return () => {
    for (const [name, value] of usual) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    remove();
  };
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** Tests put programs into their folders and start them, which a container may forbid here. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(program).status === 0;
}

/** A run that was killed cleans nothing up, and memory is dearer than disk. */
function forgetDeadRuns(): void {
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (!existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}
