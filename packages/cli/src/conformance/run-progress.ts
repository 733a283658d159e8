/** @module How far a run is, on a terminal: one line that replaces itself. */
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";

export interface RunProgress extends Disposable {
  tell(progress: { done: number; total: number; result?: { id: string } }): void;
  done(): void;
}

export function runProgress({ world, print }: Pick<Call, "world" | "print">, target: string): RunProgress {
  let clear = () => {};
  const show = (line: ReturnType<typeof text>) => {
    clear();
    clear = world.stderr.isTTY ? print.progress(line) : () => {};
  };
  const done = () => {
    clear();
    clear = () => {};
  };
  show(text`Connecting to ${target} ...`);
  return {
    tell: ({ done: count, total, result }) => show(text`${count} of ${total} checks  ${result?.id ?? ""}`),
    done,
    [Symbol.dispose]: done,
  };
}
