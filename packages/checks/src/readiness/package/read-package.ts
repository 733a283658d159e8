/** @module Reads a package from a zip, a tgz or a folder. Nothing is written; what is kept in memory is bounded, and so is the time: reading stops where the publisher would refuse. */
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { unzipEntry, ZipFault, zipCount, zipEntries } from "@fettle/contract/formats";
import { readinessLimits } from "@fettle/contract/servers";
import { isSafePath, type PackageEntry, type PackageReading, type PackageStop } from "./package-reading.ts";
import { readTar } from "./tar.ts";

const caps = readinessLimits.package;

/** What rules read, by how a name ends. */
const texts = /(?:\.(?:md|json|ya?ml|toml|txt|js|mjs|ts|py|sh)|(?:^|\/)\.[\w-]+)$/i;
const pictures = /\.(?:png|jpe?g|webp|svg|gif|ico|bmp|avif)$/i;

class Stopped extends Error {
  readonly by: PackageStop;
  constructor(by: PackageStop, message: string) {
    super(message);
    this.by = by;
  }
}

/** Throws only when the path itself cannot be read; whatever is wrong with the package is in the reading. */
export async function readPackage(path: string): Promise<PackageReading> {
  const found = await stat(path);
  if (found.isDirectory()) return reading({ kind: "folder" }, (desk) => readFolder(path, "", desk));
  // A device or a pipe says nothing of how much it holds, and may never end.
  if (!found.isFile()) throw new Error("it is neither a file nor a folder");
  await using handle = await open(path);
  const { size } = await handle.stat();
  const head = Buffer.alloc(2);
  await handle.read(head, 0, 2, 0);
  const kind = head[0] === 0x1f && head[1] === 0x8b ? "tgz" : "zip";
  return reading({ kind, compressedBytes: size }, async (desk) => {
    if (size > caps.compressedBytes) {
      throw new Stopped("too-large", `The archive has ${size} bytes; ${caps.compressedBytes} are allowed.`);
    }
    const bytes = await readFile(path);
    await (kind === "tgz" ? readTgz(bytes, desk) : readZip(new Uint8Array(bytes), desk));
  });
}

/** The same for an archive that is in memory already. */
export function readArchive(bytes: Uint8Array<ArrayBuffer>): Promise<PackageReading> {
  const isTgz = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return reading({ kind: isTgz ? "tgz" : "zip", compressedBytes: bytes.length }, (desk) =>
    isTgz ? readTgz(bytes, desk) : readZip(bytes, desk),
  );
}

async function reading(
  start: Pick<PackageReading, "kind" | "compressedBytes">,
  read: (desk: Desk) => Promise<void>,
): Promise<PackageReading> {
  const desk = openDesk();
  let stopped: PackageReading["stopped"];
  try {
    await read(desk);
  } catch (error) {
    const isOurs = error instanceof Stopped || error instanceof ZipFault;
    stopped = {
      by: error instanceof Stopped ? error.by : "unreadable",
      why: isOurs ? error.message : "The archive is damaged or is no zip or tgz.",
    };
  }
  return { ...start, ...desk.seen(), ...(stopped && { stopped }) };
}

/** Where entries are counted and contents kept. */
interface Desk {
  enter(entry: Omit<PackageEntry, "bytes">): PackageEntry;
  content(entry: PackageEntry, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  seen(): Pick<PackageReading, "entries" | "files" | "expandedBytes">;
}

function openDesk(): Desk {
  const entries: PackageEntry[] = [];
  const files = new Map<string, Uint8Array>();
  let expandedBytes = 0;
  let keptBytes = 0;
  return {
    enter(entry) {
      if (entries.length >= caps.entries) throw tooMany();
      const counted = { ...entry, bytes: 0 };
      entries.push(counted);
      return counted;
    },
    async content(entry, pieces) {
      const most = pictures.test(entry.path) ? caps.asset.bytes : texts.test(entry.path) ? caps.textBytes : 0;
      let kept: Uint8Array[] | undefined = most > 0 && isSafePath(entry.path) ? [] : undefined;
      for await (const piece of pieces) {
        entry.bytes += piece.length;
        expandedBytes += piece.length;
        if (expandedBytes > caps.expandedBytes) {
          throw new Stopped("too-large-expanded", `It unfolds into more than ${caps.expandedBytes} bytes.`);
        }
        if (entry.bytes > most || keptBytes + entry.bytes > caps.keptBytes) kept = undefined;
        kept?.push(piece);
      }
      if (!kept || files.has(entry.path)) return;
      keptBytes += entry.bytes;
      files.set(entry.path, Buffer.concat(kept));
    },
    seen: () => ({ entries, expandedBytes, files: withoutFolderAround(files) }),
  };
}

const tooMany = () => new Stopped("too-many-entries", `It holds more than ${caps.entries} entries.`);

/** Archives are often packed together with their folder; a folder of settings is never around the package. */
function withoutFolderAround(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const [first = ""] = files.keys();
  const folder = /^[^/.][^/]*\//.exec(first)?.[0];
  if (folder === undefined || ![...files.keys()].every((path) => path.startsWith(folder))) return files;
  return new Map([...files].map(([path, bytes]) => [path.slice(folder.length), bytes]));
}

async function readZip(bytes: Uint8Array<ArrayBuffer>, desk: Desk): Promise<void> {
  if (zipCount(bytes) > caps.entries) throw tooMany();
  for (const entry of zipEntries(bytes, caps.entries)) {
    const kind = entry.name.endsWith("/") ? "folder" : kindOfMode(entry.mode);
    const counted = desk.enter({
      path: entry.name,
      kind,
      ...(entry.isEncrypted && { isEncrypted: true as const }),
    });
    if (kind === "file" && !entry.isEncrypted) await desk.content(counted, unzipEntry(bytes, entry));
  }
}

function kindOfMode(mode: number): PackageEntry["kind"] {
  const type = mode & 0o170000;
  if (type === 0o120000) return "symlink";
  return type === 0 || type === 0o100000 ? "file" : type === 0o040000 ? "folder" : "special";
}

async function readTgz(bytes: Uint8Array, desk: Desk): Promise<void> {
  const unpacked = Readable.from([bytes]).pipe(createGunzip());
  try {
    for await (const { path, kind, content } of readTar(unpacked)) {
      const counted = desk.enter({ path, kind });
      await desk.content(counted, content);
    }
  } finally {
    unpacked.destroy();
  }
}

/** What version control and file managers leave behind is not packed. */
const leftovers = new Set([".git", ".DS_Store", "Thumbs.db", "__MACOSX"]);

async function readFolder(root: string, below: string, desk: Desk): Promise<void> {
  const found = await readdir(join(root, below), { withFileTypes: true });
  for (const item of found.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (leftovers.has(item.name)) continue;
    const path = below === "" ? item.name : `${below}/${item.name}`;
    if (item.isDirectory()) {
      desk.enter({ path: `${path}/`, kind: "folder" });
      await readFolder(root, path, desk);
      continue;
    }
    const kind = item.isSymbolicLink() ? "symlink" : item.isFile() ? "file" : "special";
    const counted = desk.enter({ path, kind });
    if (kind !== "file") continue;
    await using handle = await open(join(root, path));
    await desk.content(counted, handle.createReadStream({ autoClose: false }));
  }
}
