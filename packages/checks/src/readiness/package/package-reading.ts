/** @module A package as rules see it: its table of contents, the texts and pictures in it, and why reading it was stopped. */

export type EntryKind = "file" | "folder" | "symlink" | "special";

export interface PackageEntry {
  /** As it stands in the archive. */
  path: string;
  kind: EntryKind;
  /** As counted, not as claimed. */
  bytes: number;
  isEncrypted?: true;
}

/** Why reading stopped: of what comes after it nothing is known. */
export type PackageStop = "unreadable" | "too-large" | "too-many-entries" | "too-large-expanded";

export interface PackageReading {
  kind: "zip" | "tgz" | "folder";
  /** Of the archive itself; undefined for a folder. */
  compressedBytes?: number;
  expandedBytes: number;
  entries: PackageEntry[];
  /** What was kept, by its path below the package's own folder. */
  files: Map<string, Uint8Array>;
  stopped?: { by: PackageStop; why: string };
}

/** What a path does that none may. Undefined: nothing. */
export const pathFaults = {
  absolute: (path: string) => /^(?:\/|[A-Za-z]:[\\/])/.test(path),
  parent: (path: string) => path.split(/[\\/]/).includes(".."),
  backslash: (path: string) => path.includes("\\"),
  emptySegment: (path: string) =>
    path
      .replace(/^\//, "")
      .replace(/\/$/, "")
      .split("/")
      .some((part) => part === "" || part === "."),
  whitespace: (path: string) => path.split("/").some((part) => part !== part.trim()),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  control: (path: string) => /[\u0000-\u001f\u007f]/.test(path),
} as const;

export function isSafePath(path: string): boolean {
  return !Object.values(pathFaults).some((isFault) => isFault(path));
}
