/** @module Reads zip archives, in a browser as on a server. What an archive says of its sizes is not to be trusted, so contents come piece by piece and whoever reads them counts. */

export interface ZipEntry {
  name: string;
  /** Of Unix, where whoever packed it had one: `0o120000` marks a link. */
  mode: number;
  isEncrypted: boolean;
  method: number;
  packedBytes: number;
  /** Where its own header stands. */
  at: number;
}

/** What is wrong with an archive, in words for a person. */
export class ZipFault extends Error {
  override name = "ZipFault";
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const localLength = 30;
const unixHost = 3;
/** A field this full means that the real value is in the zip64 extension. */
const elsewhere = 0xffffffff;

/**
 * The table of contents, at most so many entries of it.
 *
 * @example
 * zipEntries(bytes, 5_000).map(({ name }) => name) // ["SKILL.md"]
 */
export function zipEntries(bytes: Uint8Array<ArrayBuffer>, most: number): ZipEntry[] {
  return sound(() => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = findEnd(view);
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    if (at === elsewhere) throw new ZipFault("The archive is of a kind (zip64) that is not read here.");
    const entries: ZipEntry[] = [];
    for (let index = 0; index < Math.min(count, most); index += 1) {
      if (view.getUint32(at, true) !== entrySignature) throw new RangeError("no entry here");
      const nameLength = view.getUint16(at + 28, true);
      const isUnix = view.getUint8(at + 5) === unixHost;
      entries.push({
        name: new TextDecoder().decode(bytes.subarray(at + entryLength, at + entryLength + nameLength)),
        mode: isUnix ? view.getUint16(at + 40, true) : 0,
        isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
        method: view.getUint16(at + 10, true),
        packedBytes: view.getUint32(at + 20, true),
        at: view.getUint32(at + 42, true),
      });
      at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return entries;
  });
}

/** How many entries the archive says it has. */
export function zipCount(bytes: Uint8Array<ArrayBuffer>): number {
  return sound(() => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return view.getUint16(findEnd(view) + 10, true);
  });
}

/** The content of one entry, piece by piece; stop reading when it is too much. */
export async function* unzipEntry(
  bytes: Uint8Array<ArrayBuffer>,
  { name, method, packedBytes, at }: ZipEntry,
): AsyncGenerator<Uint8Array> {
  const packed = sound(() => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = at + localLength + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    if (start + packedBytes > bytes.length) throw new RangeError("past the end");
    return bytes.subarray(start, start + packedBytes);
  });
  if (method === 0) {
    yield packed;
    return;
  }
  if (method !== 8) throw new ZipFault(`${name} is packed in a way that is not read here.`);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } catch {
    throw new ZipFault(`${name} is damaged.`);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Reading past the end is a RangeError: to a person it means the same as any other damage. */
function sound<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZipFault) throw error;
    throw new ZipFault("The archive is damaged or is no zip.");
  }
}

/** The record that ends an archive may be followed by a comment, so it is looked for from behind. */
function findEnd(view: DataView): number {
  const last = view.byteLength - endLength;
  for (let at = last; at >= Math.max(0, last - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  throw new RangeError("no end");
}
