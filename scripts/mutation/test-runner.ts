/** @module Runs tests in the process that stays for it, within a time, and starts another one when that process hangs or dies. */
import { type ChildProcess, fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Wish, Word } from "./test-process.ts";

export class TestRunner {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A run that takes longer than `seconds` is red: a fault may make a program wait for ever. */
  async run(wish: Wish, seconds: number): Promise<"green" | "red"> {
    const child = await this.ready();
    const word = await nextWord(child, () => child.send(wish), seconds);
    if (word === "green") return "green";
    if (word !== "red") this.close();
    return "red";
  }

  /** Waited for before a fault is planted: a process that began with one would keep it for all that it runs later. */
  async ready(): Promise<ChildProcess> {
    if (this.#child?.connected) return this.#child;
    const child = fork(join(import.meta.dirname, "test-process.ts"), {
      cwd: this.#folder,
      stdio: "ignore",
      env: { ...process.env, CI: "", VITEST: "" },
    });
    if ((await nextWord(child, () => {}, 120)) !== "ready") throw new Error("vitest could not be started");
    this.#child = child;
    return child;
  }

  /** With all that its tests have started. */
  close(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid !== undefined) for (const each of [...childrenOf(pid), pid]) endProcess(each);
  }
}

/** What the process says next; nothing when it ends or the time is over. */
function nextWord(child: ChildProcess, begin: () => void, seconds: number): Promise<Word | undefined> {
  return new Promise((resolve) => {
    const settle = (word?: Word) => {
      clearTimeout(timer);
      child.off("message", settle);
      child.off("exit", ended);
      resolve(word);
    };
    const ended = () => settle();
    const timer = setTimeout(ended, seconds * 1000);
    child.on("message", settle);
    child.on("exit", ended);
    begin();
  });
}

/** All processes below one, the deepest first. */
function childrenOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const below = (above: number): number[] =>
    [...parents].filter(([, parent]) => parent === above).flatMap(([child]) => [...below(child), child]);
  return below(pid);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
