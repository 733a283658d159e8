/** @module Everything a command may touch outside itself, handed in so that a test can call the command many times in one process. */
import { homedir } from "node:os";
import type { Readable } from "node:stream";

/** A stream we write to; `isTTY` decides the format and the colour. */
export interface Sink {
  write(chunk: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface World {
  stdin: Readable & { readonly isTTY?: boolean };
  stdout: Sink;
  stderr: Sink;
  env: NodeJS.ProcessEnv;
  /** The folder the person is in. */
  cwd: string;
  /** The person's home folder. */
  home: string;
  now(): number;
}

export function processWorld(): World {
  // Each stream is opened where it is first asked for: Node takes its time with them, and help needs one.
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    now: Date.now,
  };
}
