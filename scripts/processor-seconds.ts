/** @module The processor seconds that this process and everything it started have used so far. */
import { readdirSync, readFileSync } from "node:fs";

/** The kernel's unit in /proc, on every machine Linux runs on. */
const ticksPerSecond = 100;

interface Process {
  pid: number;
  parent: number;
  /** With those of its children that have ended. */
  seconds: number;
}

/** Elsewhere than on Linux, those of this process alone. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== "linux") return own;
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? processOf(Number(name)) : []));
  const startedBy = Map.groupBy(all, ({ parent }) => parent);
  const below = (pid: number): number =>
    (startedBy.get(pid) ?? []).reduce((sum, child) => sum + child.seconds + below(child.pid), 0);
  return own + (processOf(process.pid)[0]?.ended ?? 0) + below(process.pid);
}

/** Nothing when it has just ended. */
function processOf(pid: number): (Process & { ended: number })[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return [];
  }
  // The name of the program may hold spaces and parentheses; what follows the last one starts with the third field.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  );
  const ended = (endedUser + endedSystem) / ticksPerSecond;
  return [{ pid, parent, ended, seconds: (user + system) / ticksPerSecond + ended }];
}
