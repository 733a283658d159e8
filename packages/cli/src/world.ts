/** @module Everything a command may touch outside itself, handed in so that a test can call the command many times in one process. */
import { homedir } from "node:os";
import { sep } from "node:path";
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
  /** How the command is called here, as advice has to say it. */
  program: string;
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
    program: programOf(import.meta.filename, process.env),
    now: Date.now,
  };
}

/** Only an installed package has the command on somebody's path; in a checkout, and from npm's scripts, npx finds it. */
export function programOf(file: string, { npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  return file.split(sep).includes("node_modules") && !script ? "fettle" : "npx fettle";
}
