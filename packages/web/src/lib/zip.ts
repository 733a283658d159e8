/** @module Reads a zip archive in the browser. Sizes are counted while unpacking, because what an archive says of itself is not to be trusted. */

export interface ZipCaps {
  files: number;
  fileBytes: number;
  totalBytes: number;
}

export type Unzipped =
  | { ok: true; files: Map<string, Uint8Array<ArrayBuffer>> }
  | { ok: false; reason: string };

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const localLength = 30;
const isEncrypted = 1;
/** A field this full means that the real value is in the zip64 extension. */
const elsewhere = 0xffffffff;

class Refused extends Error {}

/**
 * @example
 * await unzip(bytes, limits.bundles) // { ok: true, files: Map { "SKILL.md" => … } }
 */
export async function unzip(bytes: Uint8Array<ArrayBuffer>, caps: ZipCaps): Promise<Unzipped> {
  try {
    return { ok: true, files: await readEntries(bytes, caps) };
  } catch (error) {
    // Reading past the end is a RangeError, a damaged stream a TypeError: all of them mean the same to a person.
    return {
      ok: false,
      reason: error instanceof Refused ? error.message : "The archive is damaged or is no zip.",
    };
  }
}

async function readEntries(
  bytes: Uint8Array<ArrayBuffer>,
  caps: ZipCaps,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === elsewhere) throw new Refused("The archive is of a kind (zip64) that is not read here.");
  if (count > caps.files * 2) throw new Refused(`The archive holds more than ${caps.files} files.`);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== entrySignature) throw new RangeError("no entry here");
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + entryLength, at + entryLength + nameLength));
    if (!name.endsWith("/")) {
      if (view.getUint16(at + 8, true) & isEncrypted) throw new Refused("The archive is encrypted.");
      const content = await unpack(view, at, bytes, Math.min(caps.fileBytes, caps.totalBytes - total), name);
      total += content.length;
      files.set(name, content);
      if (files.size > caps.files) throw new Refused(`The archive holds more than ${caps.files} files.`);
    }
    at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

/** The record that ends an archive may be followed by a comment, so it is looked for from behind. */
function findEnd(view: DataView): number {
  const last = view.byteLength - endLength;
  for (let at = last; at >= Math.max(0, last - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  throw new RangeError("no end");
}

async function unpack(
  view: DataView,
  entry: number,
  bytes: Uint8Array<ArrayBuffer>,
  most: number,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const method = view.getUint16(entry + 10, true);
  const packedLength = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  const start = local + localLength + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + packedLength > bytes.length) throw new RangeError("past the end");
  const packed = bytes.subarray(start, start + packedLength);
  const tooLarge = () => new Refused(`${name} makes the files larger than allowed.`);
  if (method === 0) {
    if (packed.length > most) throw tooLarge();
    return packed.slice();
  }
  if (method !== 8) throw new Refused(`${name} is packed in a way that is not read here.`);
  const unpacked: Uint8Array[] = [];
  let length = 0;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    length += step.value.length;
    if (length > most) {
      await reader.cancel();
      throw tooLarge();
    }
    unpacked.push(step.value);
  }
  const whole = new Uint8Array(length);
  let to = 0;
  for (const part of unpacked) {
    whole.set(part, to);
    to += part.length;
  }
  return whole;
}
