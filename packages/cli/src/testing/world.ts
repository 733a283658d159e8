/** @module A world for tests: its own home and folder, streams kept as text, no terminal unless asked for. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { run } from "../run.ts";
import type { World } from "../world.ts";

export interface TestWorld extends World {
  /** Runs the command here and answers what it wrote. */
  fettle(...argv: string[]): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

export interface TestWorldOptions {
  env?: Record<string, string>;
  /** Text on stdin. */
  stdin?: string;
  /** The text is typed at a terminal. */
  typed?: boolean;
  /** Columns of a terminal on both streams; without it there is none. */
  terminal?: number;
  /** Told what is written to stderr as it happens, such as an address to open. */
  onStderr?(chunk: string): void;
  cwd?: string;
  home?: string;
  program?: string;
  now?: () => number;
}

export async function testWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const home = options.home ?? (await temporaryFolder());
  const cwd = options.cwd ?? (await temporaryFolder());
  const world = (stdout: string[], stderr: string[]): World => ({
    stdin: Object.assign(Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]), {
      ...(options.typed && { isTTY: true }),
    }),
    stdout: sink(stdout, options.terminal),
    stderr: sink(stderr, options.terminal, options.onStderr),
    env: { ...options.env },
    cwd,
    home,
    program: options.program ?? "fettle",
    now: options.now ?? Date.now,
  });
  return {
    ...world([], []),
    async fettle(...argv) {
      const stdout: string[] = [];
      const stderr: string[] = [];
      const exitCode = await run(argv, world(stdout, stderr));
      return { stdout: stdout.join(""), stderr: stderr.join(""), exitCode };
    },
  };
}

/** Gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function sink(
  chunks: string[],
  terminal: number | undefined,
  onWrite: (chunk: string) => void = () => {},
): World["stdout"] {
  return {
    write(chunk) {
      chunks.push(chunk);
      onWrite(chunk);
    },
    ...(terminal !== undefined && { isTTY: true, columns: terminal }),
  };
}
