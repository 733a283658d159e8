/** @module A child process of ours: spawned without a shell in its own group, which ends with it, and never left behind. */
import type { ChildProcess } from "node:child_process";
import { McpError } from "../failure.ts";
import type { ProcessEnd, ServerProcess, StdioTarget } from "../target.ts";

const living = new Set<ChildProcess>();

/** Resolves once it runs, rejects with SPAWN_FAILED when it cannot. */
export async function spawnChild(target: StdioTarget): Promise<ServerProcess> {
  // Loaded here and not above: a command that speaks HTTP should not pay for it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(target.command, target.args, {
    shell: false,
    // Its own process group, so that what it spawns ends with it.
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    env: childEnvironment(target.env),
    ...(target.cwd !== undefined && { cwd: target.cwd }),
  });
  await spawned(child, target);
  own(child);
  const ended = new Promise<ProcessEnd>((resolve) => {
    // `close` comes after the last byte of stdout and stderr; `exit` may come before them.
    child.once("close", (exitCode, signal) => {
      disown(child);
      resolve({ exitCode, signal });
    });
  });
  child.once("exit", () => {
    // The leader is gone: what it spawned goes too. One that left the group may still hold the pipes; it is not waited for.
    killGroup(child, "SIGKILL");
    setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, 200).unref();
  });
  child.on("error", () => {});
  const { pid, stdin, stdout, stderr } = child;
  return {
    ...(pid !== undefined && { pid }),
    stdin,
    stdout,
    stderr,
    ended,
    kill: (signal) => killGroup(child, signal),
  };
}

/** Kills whatever is still running; for the last moment of a process that is told to stop. */
export function killSpawnedProcesses(): void {
  for (const child of living) child.kill("SIGKILL");
}

function spawned(child: ChildProcess, target: StdioTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error: NodeJS.ErrnoException) => {
      const missing = error.code === "ENOENT" || isNowhere(target);
      const systemCode = missing ? "ENOENT" : error.code;
      reject(
        new McpError(
          "SPAWN_FAILED",
          missing
            ? `"${target.command}" was not found.`
            : `"${target.command}" could not be started: ${error.message}`,
          {
            hint: missing
              ? "Check the command's spelling, that it is installed, and that the working folder exists."
              : "Check that the file may be executed.",
            details: { command: target.command, ...(systemCode !== undefined && { systemCode }) },
            cause: error,
          },
        ),
      );
    });
  });
}

/** A folder of PATH that one may not enter makes the system speak of permission for what is in none of them. */
function isNowhere({ command, env }: StdioTarget): boolean {
  if (/[\\/]/.test(command) || process.platform === "win32") return false;
  const { existsSync } = process.getBuiltinModule("node:fs");
  const folders = (childEnvironment(env).PATH ?? "").split(":");
  return !folders.some((folder) => existsSync(`${folder}/${command}`));
}

/** Fettle's own settings and keys are not the child's business. */
function childEnvironment(added: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("FETTLE_"));
  return { ...Object.fromEntries(inherited), ...added };
}

function own(child: ChildProcess): void {
  if (living.size === 0) process.on("exit", killSpawnedProcesses);
  living.add(child);
}

function disown(child: ChildProcess): void {
  living.delete(child);
  if (living.size === 0) process.off("exit", killSpawnedProcesses);
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the whole group is gone already, which is what was wanted.
  }
}
