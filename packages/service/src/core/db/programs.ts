/**
 * @module PostgreSQL's programs where the user that runs them reaches them. A checkout may be closed to everybody but root; then
 * they are copied, once for each version, to a place that only root can write to and everybody can read.
 */
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StartError } from "../start-error.ts";
import { binariesIn, type PostgresBinaries } from "./binaries.ts";
import { firstClosedFolder, type Identity } from "./unprivileged.ts";

/** Tried in order; a machine may have the first read-only, or forbid programs in the last. */
const places = () => ["/var/cache/fettle", "/var/lib/fettle", join(tmpdir(), "fettle-programs")];

/** Of a copy that was killed; one that is still being made is younger. */
const abandonedMs = 10 * 60_000;

export function reachablePrograms(
  binaries: PostgresBinaries,
  identity: Identity,
  candidates: string[] = places(),
): PostgresBinaries {
  if (!identity) return binaries;
  const files = list(binaries.root);
  if (firstClosedFolder(binaries.root) === undefined && files.every(isOpenToOthers)) return binaries;
  const name = `postgresql-${fingerprint(files)}`;
  for (const place of candidates) {
    const copy = binariesIn(join(place, name));
    if (isUsable(place) && ensureCopy(binaries.root, files, copy.root) && runs(copy, identity)) return copy;
  }
  throw new StartError(
    "DATABASE_UNREACHABLE_FOLDER",
    `PostgreSQL cannot run as root, the user it would run as cannot read its programs in ${binaries.root}, and they cannot be copied to ${candidates.join(" or ")}.`,
    "Run Fettle as an ordinary user, let others enter and read that folder, make one of the places writable for root alone, or set DATABASE_URL.",
  );
}

interface Entry {
  /** Below the root. */
  path: string;
  stats: Stats;
  /** Where a symbolic link leads. */
  link: string | undefined;
}

function list(root: string, below = ""): Entry[] {
  return readdirSync(join(root, below))
    .sort()
    .flatMap((name) => {
      const path = join(below, name);
      const stats = lstatSync(join(root, path));
      const link = stats.isSymbolicLink() ? readlinkSync(join(root, path)) : undefined;
      return [{ path, stats, link }, ...(stats.isDirectory() ? list(root, path) : [])];
    });
}

const isExecutable = ({ stats }: Entry) => stats.isDirectory() || (stats.mode & 0o100) !== 0;

function isOpenToOthers(entry: Entry): boolean {
  const needed = isExecutable(entry) ? 0o005 : 0o004;
  return entry.link !== undefined || (entry.stats.mode & needed) === needed;
}

/** Names, sizes and versions: another PostgreSQL is another copy, and an old one is never written into. */
function fingerprint(files: Entry[]): string {
  const hash = createHash("sha256");
  for (const { path, stats, link } of files) {
    hash.update(`${path}\0${stats.isFile() ? `${stats.size} ${stats.mode & 0o100}` : (link ?? "")}\n`);
  }
  return `${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 16)}`;
}

/** Whether nobody but root can put anything there, or swap it for something else on the way, and everybody can enter. */
function isUsable(place: string): boolean {
  try {
    if (!statSync(place, { throwIfNoEntry: false })) {
      mkdirSync(place, { mode: 0o755 });
      chmodSync(place, 0o755);
    }
  } catch {
    return false;
  }
  const stats = lstatSync(place);
  const isOurs = stats.isDirectory() && isRootsAlone(stats) && isWayRootsAlone(dirname(realpathSync(place)));
  return isOurs && firstClosedFolder(place) === undefined;
}

function isRootsAlone(stats: Stats): boolean {
  return stats.uid === 0 && (stats.isSymbolicLink() || (stats.mode & 0o022) === 0);
}

function isWayRootsAlone(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  // In a sticky folder others may add what they like, but not touch what is root's.
  const isSafe = uid === 0 && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
  return isSafe && (dirname(folder) === folder || isWayRootsAlone(dirname(folder)));
}

/** Made aside and moved into place, so that half a copy is never taken for a whole one. */
function ensureCopy(root: string, files: Entry[], copy: string): boolean {
  try {
    if (isWhole(copy, files)) return true;
    sweep(dirname(copy));
    const fresh = `${copy}.new-${randomBytes(6).toString("hex")}`;
    mkdirSync(fresh, { mode: 0o700 });
    for (const entry of files) copyEntry(entry, root, fresh);
    chmodSync(fresh, 0o755);
    if (!isWhole(copy, files)) replace(fresh, copy);
    rmSync(fresh, { recursive: true, force: true });
    return isWhole(copy, files);
  } catch {
    return false;
  }
}

function copyEntry(entry: Entry, root: string, fresh: string): void {
  const to = join(fresh, entry.path);
  if (entry.link !== undefined) {
    symlinkSync(entry.link, to);
    return;
  }
  if (entry.stats.isDirectory()) mkdirSync(to);
  else copyFileSync(join(root, entry.path), to);
  // Said again, because of the umask: a strict one is why we are here.
  chmodSync(to, isExecutable(entry) ? 0o755 : 0o644);
}

/** What stands there is broken, or another start was quicker; either way nothing of it may stay beside ours. */
function replace(fresh: string, copy: string): void {
  if (lstatSync(copy, { throwIfNoEntry: false })) renameSync(copy, `${fresh}-broken`);
  try {
    renameSync(fresh, copy);
  } finally {
    rmSync(`${fresh}-broken`, { recursive: true, force: true });
  }
}

function sweep(place: string): void {
  for (const name of readdirSync(place).filter((name) => name.includes(".new-"))) {
    const path = join(place, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) rmSync(path, { recursive: true, force: true });
  }
}

/** All of it, as it was copied, root's, and for nobody else to change. */
function isWhole(copy: string, wanted: Entry[]): boolean {
  const stats = lstatSync(copy, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || !isRootsAlone(stats) || (stats.mode & 0o005) !== 0o005) return false;
  const found = list(copy);
  return (
    found.length === wanted.length &&
    found.every((entry) => isRootsAlone(entry.stats) && isOpenToOthers(entry)) &&
    fingerprint(found) === fingerprint(wanted)
  );
}

/** The place may forbid programs, or be closed by more than its mode. */
function runs({ postgres }: PostgresBinaries, identity: Identity): boolean {
  return spawnSync(postgres, ["--version"], { ...identity, cwd: "/", stdio: "ignore" }).status === 0;
}
