/** @module One run of a PostgreSQL server on one folder: clear what a dead owner left, start, notice the end, stop. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { type Identity, lend } from "./unprivileged.ts";

export interface Postmaster {
  pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

const pidFile = (folder: string) => join(folder, "postmaster.pid");
const pollMs = 10;

/**
 * Starts the server and waits until it takes connections; undefined when it ended before that (its log says why).
 */
export async function startPostmaster(options: {
  postgres: string;
  folder: string;
  socketFolder: string;
  identity: Identity;
  settings: Record<string, string>;
  logFile: string;
}): Promise<Postmaster | undefined> {
  const { postgres, folder, socketFolder, identity, logFile } = options;
  const loan = lend(identity, [folder, socketFolder]);
  const settings = {
    ...options.settings,
    unix_socket_directories: loan.names[1],
    // Means nothing to PostgreSQL: a lent folder has no name of its own, and the next owner tells its server by this one.
    "fettle.folder": folder,
  };
  const args = [
    "-D",
    must(loan.names[0], "a name for the folder"),
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(postgres, args, {
    ...identity,
    cwd: "/",
    // A process group of its own: Ctrl-C in the terminal is for us, and we stop the database after our own work.
    detached: true,
    stdio: ["ignore", log, log, ...loan.descriptors],
    env: { LC_ALL: "C", PATH: process.env.PATH },
  });
  closeSync(log);
  loan.close();
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  if (child.pid === undefined) {
    await exited;
    return undefined;
  }
  const pid = child.pid;
  const guard = guardAgainstOurDeath(pid, folder);
  let hasExited = false;
  exited.then(() => {
    hasExited = true;
    guard.kill("SIGKILL");
  });
  while (!hasExited) {
    const running = readPidFile(folder);
    if (running?.pid === pid && running.status === "ready") {
      return { pid, exited, stop: () => stopServer(pid, exited) };
    }
    await delay(pollMs);
  }
  return undefined;
}

/**
 * A shell that waits for our end of a pipe to close, which the kernel does however we die, and then stops the server:
 * `kill -9` of the service leaves no database behind.
 */
function guardAgainstOurDeath(pid: number, folder: string): ChildProcess {
  // Only while the pid file still names it: by then the number may belong to somebody else.
  const script = 'read -r _; [ "$(head -n 1 "$2")" = "$1" ] && kill -INT "$1"';
  const guard = spawn("/bin/sh", ["-c", script, "fettle-postgres-guard", String(pid), pidFile(folder)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // A guard that cannot start costs only this protection; the next start clears what was left.
  guard.once("error", () => {});
  guard.stdin?.once("error", () => {});
  guard.unref();
  // The pipe must not keep our event loop alive. Its type is Writable, but a pipe to a child is a socket.
  (guard.stdin as { unref?: () => void } | null)?.unref?.();
  return guard;
}

/** Fast stop (clients are disconnected, everything is written); if it hangs, an immediate one, which the next start recovers from. */
async function stopServer(pid: number, exited: Promise<void>): Promise<void> {
  for (const [signal, patienceMs] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 10_000],
    ["SIGKILL", 10_000],
  ] as const) {
    signalIfAlive(pid, signal);
    const patience = new AbortController();
    const gaveUp = delay(patienceMs, "gave up", { signal: patience.signal }).catch(() => undefined);
    const outcome = await Promise.race([exited, gaveUp]);
    patience.abort();
    if (outcome !== "gave up") return;
  }
}

/**
 * Stops a server that a dead owner left on this folder, and forgets a pid file that names nobody. The caller holds the
 * folder's lock, so no living owner can be meant.
 */
export async function clearLeftovers(folder: string): Promise<void> {
  const left = readPidFile(folder);
  if (!left) return;
  if (isServerOf(left.pid, folder)) {
    const exited = (async () => {
      while (isServerOf(left.pid, folder)) await delay(pollMs);
    })();
    await stopServer(left.pid, exited);
  }
  // PostgreSQL would take any process that has this number by now for a running server, as happens after a container
  // restarts. Leftover back ends are still noticed by it, through their shared memory.
  if (readPidFile(folder)?.pid === left.pid) rmSync(pidFile(folder), { force: true });
}

interface PidFile {
  pid: number;
  status: string | undefined;
}

function readPidFile(folder: string): PidFile | undefined {
  try {
    const lines = readFileSync(pidFile(folder), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, status: lines[7]?.trim() } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this process is alive and is a PostgreSQL server on this folder. */
function isServerOf(pid: number, folder: string): boolean {
  const command = commandLine(pid);
  return command?.includes("postgres") === true && command.includes(folder);
}

/** Undefined for a process that is gone, or a zombie: a container without an init process keeps those forever. */
function commandLine(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() || undefined;
    } catch {
      return undefined;
    }
  }
  const { stdout, status } = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], {
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : undefined;
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
