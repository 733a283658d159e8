/** @module Writes zip archives for tests. */
import { deflateRawSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  text: string;
  stored?: boolean;
  flags?: number;
  method?: number;
}

/** A zip as any tool writes it, by hand so that it can be wrong on purpose. */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, stored = false, flags = 0, method = stored ? 0 : 8 } of entries) {
    const packed = stored ? Buffer.from(text) : deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(local, Buffer.from(name), packed);
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}
