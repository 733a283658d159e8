/** @module The real `fettle` of this checkout as a process of its own, with a home and folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const launcher = join(import.meta.dirname, "..", "..", "bin", "fettle.mjs");

export interface FettleProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The first whole line of stdout. */
  firstLine: Promise<string>;
  /** Waits for a text on either stream; rejects when the process ends without it. */
  untilSaid(text: string): Promise<void>;
  exit: Promise<{ code: number | null; signal: string | null }>;
}

export interface ProcessOptions {
  cwd: string;
  env?: Record<string, string>;
  /** The file that its stdout is, instead of being read here. */
  output?: number;
}

/** Ended with the test, whatever happens in it. */
export function spawnFettle(
  argv: readonly string[],
  { cwd, env = {}, output }: ProcessOptions,
): FettleProcess {
  // Of the test run; what else a person has set is kept from it.
  const { PATH, FETTLE_FROM, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [launcher, ...argv], {
    cwd,
    env: { PATH, FETTLE_FROM, NODE_COMPILE_CACHE, HOME: cwd, FETTLE_HOME: join(cwd, ".fettle"), ...env },
    stdio: ["ignore", output ?? "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr!.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  const exit = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const until = (isSaid: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => isSaid() && resolve();
      child.stdout?.on("data", look);
      child.stderr!.on("data", look);
      exit.then(() => reject(new Error(`fettle ended too early: ${stderr}`)));
      look();
    });
  const firstLine = until(() => stdout.includes("\n")).then(() => stdout.slice(0, stdout.indexOf("\n")));
  firstLine.catch(() => {});
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    firstLine,
    untilSaid: (text) => until(() => stdout.includes(text) || stderr.includes(text)),
    exit,
  };
}

/** An inspector outlives the command that started it, and must not outlive a test that fails before it stops it. */
export function endInspectorAfterTest(home: string): void {
  onTestFinished(() => {
    const state = join(home, "inspector.json");
    if (!existsSync(state)) return;
    const { pid } = JSON.parse(readFileSync(state, "utf8")) as { pid: number };
    try {
      process.kill(pid);
    } catch {
      // It has ended, and could not take its file away.
    }
  });
}

/** Runs it to its end. */
export async function execFettle(argv: readonly string[], options: ProcessOptions) {
  const { exit, stdout, stderr } = spawnFettle(argv, options);
  const { code } = await exit;
  return { stdout: stdout(), stderr: stderr(), exitCode: code };
}
