/** @module The real `fettle` of this checkout as a process of its own, with a home and folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const launcher = join(import.meta.dirname, "..", "..", "bin", "fettle.mjs");

export interface FettleProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The first whole line of stdout. */
  firstLine: Promise<string>;
  exit: Promise<{ code: number | null; signal: string | null }>;
}

export interface ProcessOptions {
  cwd: string;
  env?: Record<string, string>;
}

/** Ended with the test, whatever happens in it. */
export function spawnFettle(argv: readonly string[], { cwd, env = {} }: ProcessOptions): FettleProcess {
  const child = spawn(process.execPath, [launcher, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, FETTLE_HOME: join(cwd, ".fettle"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stdout = "";
  let stderr = "";
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>();
  firstLine.catch(() => {});
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
    const end = stdout.indexOf("\n");
    if (end >= 0) resolve(stdout.slice(0, end));
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  const exit = once(child, "close").then(([code, signal]) => {
    reject(new Error(`fettle ended without a line: ${stderr}`));
    return { code, signal };
  });
  return { child, stdout: () => stdout, stderr: () => stderr, firstLine, exit };
}

/** Runs it to its end. */
export async function execFettle(argv: readonly string[], options: ProcessOptions) {
  const { exit, stdout, stderr } = spawnFettle(argv, options);
  const { code } = await exit;
  return { stdout: stdout(), stderr: stderr(), exitCode: code };
}
