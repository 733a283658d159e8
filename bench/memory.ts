/** @module How much memory processes really take: shared pages are counted once, divided among those that share them. */
import { readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Mebibytes that this process still holds after everything that can be forgotten is. */
export function heapMiB(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Mebibytes held by a process and everything it started, on Linux; elsewhere nobody can tell. */
export function memoryOfTree(pids: number[]): number | undefined {
  if (process.platform !== "linux") return undefined;
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const stat = read(`/proc/${name}/stat`);
    // The command may hold spaces and brackets, so count from its last closing one.
    const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return pids.includes(pid) || (parent !== undefined && isOurs(parent));
  };
  const each = [...parents.keys()].filter(isOurs).map(memoryOf);
  return each.reduce((sum, part) => sum + part, 0);
}

/** Of this process alone; 0 where nobody can tell. */
export function memoryOf(pid: number): number {
  const line = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? "");
  return Number(line?.[1] ?? 0) / 1024;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}
