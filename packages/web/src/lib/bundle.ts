/** @module Files picked together: a folder, a zip archive or single files, by their path inside the bundle. The service checks them again. */
import { bundleLimits } from "@fettle/contract/core";
import { toBase64 } from "./base64.ts";
import { sizeText } from "./bytes.ts";
import { unzip } from "./zip.ts";

export type Bundle = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
export type PickedBundle = { ok: true; files: Bundle } | { ok: false; reason: string };

/** What file managers and version control leave behind. */
const leftovers = /(^|\/)(\.DS_Store|Thumbs\.db|__MACOSX\/.*|\.git\/.*)$/;

/** Reads what someone picked. The folder around everything is not part of the bundle. */
export async function readPicked(picked: readonly File[]): Promise<PickedBundle> {
  const caps = bundleLimits;
  const [only] = picked;
  const archive = picked.length === 1 && only && /\.(zip|skill|plugin)$/i.test(only.name) ? only : undefined;
  // An archive of text is many times smaller than what it holds, so its own size says little; this only keeps the page from choking.
  if (archive && archive.size > caps.totalBytes * 2) return tooLarge();
  if (archive) {
    const unzipped = await unzip(new Uint8Array(await archive.arrayBuffer()), caps);
    return unzipped.ok ? asBundle(unzipped.files) : unzipped;
  }
  const wanted = picked.filter((file) => !leftovers.test(pathOf(file)));
  if (wanted.length > caps.files) return { ok: false, reason: `More than ${caps.files} files were picked.` };
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  if (total > caps.totalBytes || wanted.some(({ size }) => size > caps.fileBytes)) return tooLarge();
  const read = await Promise.all(
    wanted.map(async (file) => [pathOf(file), new Uint8Array(await file.arrayBuffer())] as const),
  );
  return asBundle(new Map(read));
}

/** As it is sent. */
export function toFileMap(files: Bundle): Record<string, string> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, toBase64(bytes)]));
}

export function bundleSize(files: Bundle): number {
  return files.values().reduce((sum, { length }) => sum + length, 0);
}

const pathOf = (file: File) => file.webkitRelativePath || file.name;

function asBundle(read: Bundle): PickedBundle {
  const kept = [...read].filter(([path]) => !leftovers.test(path));
  const [first] = kept;
  if (!first) return { ok: false, reason: "There are no files in it." };
  const folder = /^[^/]+\//.exec(first[0])?.[0];
  const isAround = folder !== undefined && kept.every(([path]) => path.startsWith(folder));
  // A plugin's own folder of settings is part of it, never what is around it.
  const cut = isAround && !folder.startsWith(".") ? folder.length : 0;
  return { ok: true, files: new Map(kept.map(([path, bytes]) => [path.slice(cut), bytes])) };
}

function tooLarge(): PickedBundle {
  const { fileBytes, totalBytes } = bundleLimits;
  return {
    ok: false,
    reason: `A file may have ${sizeText(fileBytes)} and all of them together ${sizeText(totalBytes)}.`,
  };
}
