/** @module Real processes for tests: started from our sources, heard line by line, killed and counted. */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { runFolder } from "./postgres.ts";

export interface TestProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  pid: number;
  /** Everything printed so far, both streams, for the message of a failing test. */
  output(): string;
  /** Resolves with the first line of stdout, past or future, that matches; rejects when the process ends without it. */
  line(pattern: RegExp): Promise<string>;
  /** Ends it with a signal and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  exited: Promise<number | null>;
}

const compiler = join(import.meta.dirname, "../../../../scripts/compile-programs.mjs");

/** Those that hold a whole service: from source, a start of one takes four processor seconds. */
const large = ["app-server", "app-worker", "job-worker"];

/**
 * Their bundles, made by whoever starts one first in this run. Two that come at once both make them; those of the one who is
 * done first are kept.
 */
function compiled(name: string): string {
  const folder = join(runFolder(), "programs");
  if (!existsSync(folder)) {
    const making = mkdtempSync(`${folder}-`);
    const scripts = large.map((each) => join(import.meta.dirname, `${each}.ts`));
    execFileSync(process.execPath, [compiler, making, ...scripts], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      renameSync(making, folder);
    } catch {
      // Somebody else's are there by now.
      rmSync(making, { recursive: true, force: true });
    }
  }
  return join(folder, `${name}.mjs`);
}

/** Runs a program in a Node process of its own: a TypeScript file of ours, or its bundle where that starts much sooner. */
export function startProcess(
  script: string,
  args: string[] = [],
  options: { env?: Record<string, string>; uid?: number; gid?: number } = {},
): TestProcess {
  const { env, ...identity } = options;
  const name = basename(script, ".ts");
  const program = large.includes(name) ? compiled(name) : script;
  const child = spawn(process.execPath, [program, ...args], {
    ...identity,
    // Compiled code is kept between starts: a killed process should not cost a second to replace.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "fettle-test-compile-cache"), ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let printed = "";
  const lines: string[] = [];
  child.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    printed += `${line}\n`;
    lines.push(line);
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    child,
    pid: child.pid!,
    output: () => printed,
    exited,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const known = lines.find((line) => pattern.test(line));
        if (known !== undefined) return resolve(known);
        const heard = (line: string) => {
          if (!pattern.test(line)) return;
          reader.off("line", heard);
          resolve(line);
        };
        reader.on("line", heard);
        reader.once("close", () =>
          reject(new Error(`${script} ended without ${pattern}; it printed:\n${printed}`)),
        );
      }),
    kill: async (signal = "SIGKILL") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}

/** The living processes whose command line names `word`; a zombie has none, so it does not count. */
export function processesNaming(word: string): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return command.includes(word) && Number(name) !== process.pid ? [{ pid: Number(name), command }] : [];
      } catch {
        return [];
      }
    });
}
