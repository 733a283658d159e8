/** @module Writes a tar of plain files, as engines take images. */
import { Readable } from "node:stream";

interface TarFile {
  path: string;
  size: number;
  content: Buffer | AsyncIterable<Buffer>;
}

const blockBytes = 512;
/** The field of a size has eleven octal digits. */
const largestFile = 8 ** 11 - 1;

export function tarOf(files: readonly TarFile[]): Readable {
  return Readable.from(blocksOf(files));
}

async function* blocksOf(files: readonly TarFile[]): AsyncGenerator<Buffer> {
  for (const { path, size, content } of files) {
    yield headerOf(path, size);
    if (Buffer.isBuffer(content)) yield content;
    else yield* content;
    yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

function headerOf(path: string, size: number): Buffer {
  if (path.length > 100 || size > largestFile) throw new Error(`${path} does not fit into a tar`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  header.write(path, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}
