/** @module Unpacks a zip archive in the browser, at most so much of it. */
import { unzipEntry, ZipFault, zipCount, zipEntries } from "@fettle/contract/formats";

export interface ZipCaps {
  files: number;
  fileBytes: number;
  totalBytes: number;
}

export type Unzipped =
  | { ok: true; files: Map<string, Uint8Array<ArrayBuffer>> }
  | { ok: false; reason: string };

/**
 * @example
 * await unzip(bytes, limits.bundles) // { ok: true, files: Map { "SKILL.md" => … } }
 */
export async function unzip(bytes: Uint8Array<ArrayBuffer>, caps: ZipCaps): Promise<Unzipped> {
  try {
    return { ok: true, files: await readEntries(bytes, caps) };
  } catch (error) {
    return {
      ok: false,
      reason: error instanceof ZipFault ? error.message : "The archive is damaged or is no zip.",
    };
  }
}

async function readEntries(
  bytes: Uint8Array<ArrayBuffer>,
  caps: ZipCaps,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const tooMany = () => new ZipFault(`The archive holds more than ${caps.files} files.`);
  // Folders are entries too.
  if (zipCount(bytes) > caps.files * 2) throw tooMany();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let total = 0;
  for (const entry of zipEntries(bytes, caps.files * 2)) {
    if (entry.name.endsWith("/")) continue;
    if (entry.isEncrypted) throw new ZipFault("The archive is encrypted.");
    const most = Math.min(caps.fileBytes, caps.totalBytes - total);
    const content = await whole(unzipEntry(bytes, entry), most, entry.name);
    total += content.length;
    files.set(entry.name, content);
    if (files.size > caps.files) throw tooMany();
  }
  return files;
}

async function whole(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) throw new ZipFault(`${name} makes the files larger than allowed.`);
    kept.push(piece);
  }
  const content = new Uint8Array(length);
  let to = 0;
  for (const piece of kept) {
    content.set(piece, to);
    to += piece.length;
  }
  return content;
}
