/** @module Asking the person at the terminal: a question on stderr, a line from stdin. Stdout stays the result alone. */
import type { Interface } from "node:readline";
import type { Printer } from "../output/printer.ts";
import { text, type Writable } from "../output/text.ts";
import type { World } from "../world.ts";

export interface Terminal {
  say(line: Writable): void;
  /** The line typed, or undefined at the end of input. */
  ask(question: Writable): Promise<string | undefined>;
  /** Asks until the answer can be read. `read` throws a sentence saying what is wrong. */
  askFor<T>(question: Writable, read: (typed: string) => T): Promise<T | undefined>;
  close(): void;
}

export function openTerminal(world: Pick<World, "stdin">, print: Printer): Terminal {
  let reader: Interface | undefined;
  let lines: AsyncIterator<string> | undefined;
  const nextLine = async () => {
    // Loaded here and not above: hardly a command asks.
    reader ??= process.getBuiltinModule("node:readline").createInterface({ input: world.stdin });
    lines ??= reader[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done ? undefined : String(value);
  };
  const ask = async (question: Writable) => {
    print.prompt(question);
    return nextLine();
  };
  return {
    say: (line) => print.prompt(line),
    ask,
    async askFor(question, read) {
      for (;;) {
        const typed = await ask(question);
        if (typed === undefined) return undefined;
        try {
          return read(typed.trim());
        } catch (error) {
          print.prompt(text`  ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    },
    close: () => reader?.close(),
  };
}

/** Someone is there, and has not said otherwise. */
export function canAsk({ stdin, env }: Pick<World, "stdin" | "env">): boolean {
  return stdin.isTTY === true && !env.CI && !env.FETTLE_NON_INTERACTIVE;
}
