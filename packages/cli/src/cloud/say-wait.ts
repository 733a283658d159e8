/** @module Says on stderr that a command waits because the service turned it away: at once, and then now and again. */
import type { Wait } from "@fettle/contract/client";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";

/** A limit of one request a second would fill the screen. */
const sayAgainMs = 10_000;
/** Nobody notices less. */
const shortestMs = 1000;

export function sayWait(print: Pick<Printer, "note">): (wait: Wait) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return ({ ms, message }) => {
    if (ms < shortestMs || performance.now() - saidAt < sayAgainMs) return;
    saidAt = performance.now();
    print.note(text`${message} Trying again in ${Math.round(ms / 1000)} s.`);
  };
}
