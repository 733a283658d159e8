// Plain JavaScript, because the launcher of a checkout runs it on Nodes that read no TypeScript.
import { readFileSync, readlinkSync } from "node:fs";

/** What starts a command for as long as it runs itself; another script of npm may well leave one running. */
const npmLaunchers = ["start", "npx"];

/**
 * A parent that is killed outright can tell nobody, and the service would keep its port, the tunnel its connection. Whoever
 * adopts the orphan is another parent; looking costs nothing at the start, keeps nothing alive and reads no stdin.
 * npm passes a signal on to its shell alone. Under `npm start` the script is an `exec`, so no shell stands in between.
 */
export function endWithParent(launcher = 0) {
  const parent = launcher || (npmLaunchers.includes(process.env.npm_lifecycle_event) ? process.ppid : 0);
  if (!parent) return;
  const npm = launcher ? undefined : npmAbove(parent);
  const watch = setInterval(() => {
    const isShellLeft = npm !== undefined && parentOf(parent) !== npm;
    if (process.ppid === parent && !isShellLeft) return;
    clearInterval(watch);
    // As if it had been told: in order where a command stops in order.
    process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}

/**
 * Where the shell of npx stands in between, as dash does, it waits for the command and never notices that npx was killed. Only
 * an npm counts: the terminal above may close while what was started with `nohup` goes on.
 */
function npmAbove(shell) {
  const npm = parentOf(shell);
  const node = process.env.npm_node_execpath;
  return npm !== undefined && node !== undefined && runs(npm) === node && runs(shell) !== node
    ? npm
    : undefined;
}

/** Only Linux tells without starting a program; elsewhere `sh` hands its place to the command, so that npm is the parent. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before it, in brackets, may hold anything.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function runs(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}
