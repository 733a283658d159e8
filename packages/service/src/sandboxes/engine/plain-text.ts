/** @module What a process in a container said, made fit to be kept and shown: plain, whole lines, and no more than a bound. */
import { stripVTControlCharacters } from "node:util";
import { redactText } from "@fettle/contract/secrets";

export interface PlainText {
  add(bytes: Buffer): void;
  /** A line of our own. */
  addLine(line: string): void;
  /** The end of it, cut at a line. */
  text(): string;
}

/** Keeps the last `length` characters; a longer line is cut. */
export function keepPlainText({ length, lineLength }: { length: number; lineLength: number }): PlainText {
  const decoder = new TextDecoder();
  let kept = "";
  let line = "";
  let isCut = false;
  const put = (whole: string) => {
    kept += `${whole}\n`;
    if (kept.length <= 2 * length) return;
    kept = kept.slice(-length);
    isCut = true;
  };
  return {
    add: (bytes) => {
      const pieces = (line + decoder.decode(bytes, { stream: true })).split("\n");
      // A line that never ends is held no longer than it is shown.
      line = (pieces.pop() ?? "").slice(0, 2 * lineLength);
      for (const piece of pieces) put(plain(piece, lineLength));
    },
    addLine: (whole) => put(plain(whole, lineLength)),
    text: () => {
      const all = kept + plain(line, lineLength);
      const isShort = all.length <= length && !isCut;
      const end = all.slice(-length);
      return isShort ? all : end.slice(end.indexOf("\n") + 1);
    },
  };
}

/** No colours, no control characters; of a line that was written over, what was written last. */
function plain(line: string, length: number): string {
  const last = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
  const bare = stripVTControlCharacters(last).replace(/[^\P{Cc}\t]/gu, "");
  const short = bare.length > length ? `${bare.slice(0, length)}…` : bare;
  return redactText(short).toWellFormed();
}
