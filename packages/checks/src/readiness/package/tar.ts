/** @module Reads a tar, entry by entry, from a stream that is never held as a whole. */
import type { EntryKind } from "./package-reading.ts";

export interface TarEntry {
  path: string;
  kind: EntryKind;
  /** Read it before the next entry is asked for; what is left over is skipped. */
  content: AsyncIterable<Uint8Array>;
}

const block = 512;
/** Long names stand in an entry of their own, which is small. */
const longestName = 64 * 1024;

const kinds: Record<string, EntryKind> = {
  "\0": "file",
  "0": "file",
  "7": "file",
  "5": "folder",
  "2": "symlink",
};

export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = blocksOf(stream);
  let longName: string | undefined;
  for (;;) {
    const header = await source.take(block);
    if (!header || header.every((byte) => byte === 0)) return;
    const size = Number.parseInt(textOf(header.subarray(124, 136)), 8) || 0;
    const type = String.fromCharCode(header[156] ?? 0);
    if (textOf(header.subarray(257, 262)) !== "ustar") throw new RangeError("no tar");
    if (type === "L" || type === "x" || type === "g") {
      if (size > longestName) throw new RangeError("a name is too long");
      const said = await source.take(padded(size));
      if (!said) throw new RangeError("past the end");
      if (type !== "g") longName = nameIn(textOf(said.subarray(0, size)), type);
      continue;
    }
    const name = textOf(header.subarray(0, 100));
    const prefix = textOf(header.subarray(345, 500));
    const path = longName ?? (prefix === "" ? name : `${prefix}/${name}`);
    longName = undefined;
    let left = padded(size);
    let wanted = size;
    async function* content() {
      while (left > 0) {
        const piece = await source.some(left);
        if (!piece) throw new RangeError("past the end");
        left -= piece.length;
        const own = piece.subarray(0, Math.max(0, wanted));
        wanted -= own.length;
        if (own.length > 0) yield own;
      }
    }
    // A hard link is a second name for what may stand outside: as bad as a symbolic one.
    yield { path, kind: type === "1" ? "symlink" : (kinds[type] ?? "special"), content: content() };
    while (left > 0) {
      const piece = await source.some(left);
      if (!piece) throw new RangeError("past the end");
      left -= piece.length;
    }
  }
}

const padded = (size: number) => Math.ceil(size / block) * block;

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
}

/** `L` holds the name itself, `x` records such as `27 path=some/name`. */
function nameIn(said: string, type: string): string | undefined {
  return type === "L" ? said : /^\d+ path=(.*)$/m.exec(said)?.[1];
}

function blocksOf(stream: AsyncIterable<Uint8Array>) {
  const source = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  /** At least one byte and at most so many; undefined at the end. */
  async function some(most: number): Promise<Uint8Array | undefined> {
    while (rest.length === 0) {
      const step = await source.next();
      if (step.done) return undefined;
      rest = step.value;
    }
    const piece = rest.subarray(0, most);
    rest = rest.subarray(piece.length);
    return piece;
  }
  async function take(size: number): Promise<Uint8Array | undefined> {
    const whole = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const piece = await some(size - at);
      if (!piece) return at === 0 ? undefined : whole;
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
  return { some, take };
}
