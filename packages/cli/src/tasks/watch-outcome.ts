/** @module A watched task, from the flags to what is printed; shared by `tasks watch` and `tools call --task-watch`. */
import { type ClientHandlers, type Connection, type Watched, watchTask } from "@fettle/mcp";
import { toolResultText } from "../connection/tool-result.ts";
import { untilInterrupted } from "../interrupts.ts";
import { outline } from "../output/outline.ts";
import type { Outcome, Printer } from "../output/printer.ts";
import { lines, style, type Text, text } from "../output/text.ts";
import type { FlagValues } from "../program/flag.ts";
import type { watchFlags } from "./flags.ts";
import { watchExit } from "./watch-exit.ts";
import type { KnownWire } from "./wire.ts";

export interface WatchSubject {
  connection: Connection;
  wire: KnownWire;
  taskId: string;
  timeoutMs: number;
  flags: FlagValues<typeof watchFlags>;
  handlers?: ClientHandlers | undefined;
  print: Printer;
}

export async function watchOutcome(subject: WatchSubject): Promise<Outcome> {
  const { connection, wire, taskId, timeoutMs, flags, handlers, print } = subject;
  const stop = new AbortController();
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => stop.abort());
  const watched = await watchTask(connection, taskId, {
    wire,
    ...flags,
    signal: stop.signal,
    request: { timeouts: { idleMs: timeoutMs, totalMs: timeoutMs } },
    handlers,
    onStatus: ({ status, statusMessage }) =>
      print.note(text`${String(status)}${typeof statusMessage === "string" ? `: ${statusMessage}` : ""}`),
  }).finally(() => over.abort());
  return { value: watched, human: () => watchedText(watched), exitCode: watchExit[watched.outcome] };
}

function watchedText({ outcome, taskId, task, result }: Watched): Text {
  const mark = outcome === "completed" ? style.green("✓") : style.red("✗");
  const heading = text`${mark} Task ${style.bold(taskId)}: ${outcome}`;
  if (result) return lines([heading, "", toolResultText(result, 0)]);
  return task ? lines([heading, "", outline(task)]) : heading;
}
