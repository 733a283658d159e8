/** @module Writes archives for tests, by hand so that they can be wrong on purpose. */
import { crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

export interface ArchiveEntry {
  path: string;
  content: string | Uint8Array;
  /** Of Unix. */
  mode?: number;
  isEncrypted?: boolean;
  /** Packed already, so that a large one is packed once. */
  packed?: Buffer;
}

export function zipOf(entries: readonly ArchiveEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, mode = 0o100644, isEncrypted = false, packed: given } of entries) {
    const name = Buffer.from(path);
    const packed = given ?? deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt8(3, 5);
    entry.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(mode, 40);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, name);
    parts.push(local, name, packed);
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

export function tgzOf(
  entries: readonly { path: string; content: string | Uint8Array; type?: string }[],
): Uint8Array<ArrayBuffer> {
  const blocks = entries.flatMap(({ path, content, type = "0" }) => {
    const body = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write(body.length.toString(8).padStart(11, "0"), 124);
    header.write(type, 156);
    header.write("ustar\0", 257);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return new Uint8Array(gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
}

export function pngOf(width: number, height = width): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}
