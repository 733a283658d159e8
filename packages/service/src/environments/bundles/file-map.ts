/** @module Reads uploaded files. They are kept as data and never written to disk or run; a path is a name, held to what a name may be. */
import { createHash } from "node:crypto";
import { ApiError, limits } from "@fettle/contract/core";
import type { FileMap } from "@fettle/contract/environments";

export type Files = Map<string, Buffer>;

/** Decodes the files and refuses paths that would mean another place anywhere: absolute, climbing, or alike but for case. */
export function readFileMap(map: FileMap): Files {
  const files: Files = new Map();
  const seen = new Set<string>();
  let total = 0;
  for (const [path, base64] of Object.entries(map)) {
    if (!isPlainPath(path)) throw refusal("UNSAFE_PATH", "A path must stay inside the bundle.", path);
    const folded = path.normalize("NFC").toLowerCase();
    if (seen.has(folded)) throw refusal("PATH_TWICE", "Two paths differ only in case.", path);
    seen.add(folded);
    const content = Buffer.from(base64, "base64");
    total += content.length;
    if (content.length > limits.bundles.fileBytes || total > limits.bundles.totalBytes) {
      throw refusal("BUNDLE_TOO_LARGE", "The files are larger than allowed.", path);
    }
    files.set(path, content);
  }
  return files;
}

/** Forward slashes between plain segments, and nothing a file system or terminal would read as more than a name. */
export function isPlainPath(path: string): boolean {
  const segments = path.split("/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return segments.every((segment) => !/^\.{0,2}$|[\\:\u0000-\u001f\u007f]|[. ]$/.test(segment));
}

/** Names the files by their content, whatever the order they came in. */
export function hashFiles(files: Files): string {
  const hash = createHash("sha256");
  for (const [path, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    // Lengths first, so that no two bundles write the same bytes.
    hash
      .update(`${Buffer.byteLength(path)} ${content.length}\n`)
      .update(path)
      .update(content);
  }
  return hash.digest("hex");
}

/** Text, or nothing when the bytes are not UTF-8 or hold what a database cannot. */
export function readText(content: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function refusal(code: string, message: string, path: string): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { path: "body.files", code, file: path });
}
