/** @module The PostgreSQL that Fettle runs itself, in its data folder: made once, kept running, stopped with us. */

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { release, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { addressPart, must } from "@fettle/contract/formats";
import { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import type { Log } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import { findBinaries, type PostgresBinaries } from "./binaries.ts";
import { clearLeftovers, type Postmaster, startPostmaster } from "./postmaster.ts";
import { reachablePrograms } from "./programs.ts";
import { chooseIdentity, type Identity, lend, requireLendable } from "./unprivileged.ts";

export interface EmbeddedDatabase {
  url: Secret;
  stop(): Promise<void>;
}

const userName = "fettle";
const databaseName = "fettle";

const settings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  // Nobody replicates from it, so the write-ahead log may be short.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "256MB",
  max_logical_replication_workers: "0",
  // Three helper processes fewer; they pay only on far larger machines.
  io_method: "sync",
  // Small queries only; parallel ones would need shared memory that containers ration.
  max_parallel_workers_per_gather: "0",
  // A back end whose client was killed in mid-query ends, instead of holding up the next start.
  client_connection_check_interval: "2s",
  // Statements and values may hold what must not be in a log.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
};

export interface Runnable {
  binaries: PostgresBinaries;
  identity: Identity;
}

/** What PostgreSQL is run with here. Throws, having written nothing to the data folder, when it cannot be run. */
export function requireRunnable(dataFolder: string): Runnable {
  const binaries = findBinaries();
  const identity = chooseIdentity();
  requireLendable(identity, dataFolder);
  return { binaries: reachablePrograms(binaries, identity), identity };
}

/**
 * Starts the database of a data folder that the caller has locked, and keeps it running until `stop`.
 */
export async function startEmbedded(options: {
  dataFolder: string;
  log: Log;
  /** Where the caller has asked already. */
  runnable?: Runnable | undefined;
  extraSettings?: Record<string, string>;
}): Promise<EmbeddedDatabase> {
  const { log, extraSettings = {} } = options;
  const dataFolder = resolve(options.dataFolder);
  const { binaries, identity } = options.runnable ?? requireRunnable(dataFolder);
  const folder = join(dataFolder, "postgres");
  const logFile = join(dataFolder, "postgres.log");

  if (!existsSync(folder)) await makeCluster(binaries, identity, folder);
  await clearLeftovers(folder);
  const socketFolder = makeSocketFolder(dataFolder, identity);
  trimLog(logFile);

  const start = () =>
    startPostmaster({
      postgres: binaries.postgres,
      folder,
      socketFolder,
      identity,
      settings: { ...settings, ...extraSettings },
      logFile,
    });
  const first = await startPatiently(start, () => requireSameVersion(binaries, folder), logFile);
  // The port is only part of the socket's name, unless a test has the server listen on a network too.
  const { port = "5432" } = extraSettings;
  const url = (name: string) =>
    new Secret(`postgres://${userName}@localhost:${port}/${name}?host=${addressPart(socketFolder)}`);
  await ensureDatabase(url("postgres"));

  const stopping = new AbortController();
  const supervision = keepRunning(first, start, log, stopping.signal);
  return {
    url: url(databaseName),
    stop: async () => {
      stopping.abort();
      await supervision;
      rmSync(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Makes the cluster aside and moves it into place, so that a half-made one is never taken for whole. */
async function makeCluster({ initdb }: PostgresBinaries, identity: Identity, folder: string): Promise<void> {
  const parent = join(folder, "..");
  for (const name of readdirSync(parent).filter((name) => name.startsWith("postgres.new-"))) {
    rmSync(join(parent, name), { recursive: true, force: true });
  }
  const fresh = mkdtempSync(`${folder}.new-`);
  if (identity) chownSync(fresh, identity.uid, identity.gid);
  const loan = lend(identity, [fresh]);
  const args = [
    `--pgdata=${loan.names[0]}`,
    `--username=${userName}`,
    // Whoever can enter the socket's folder (0700) is the owner already.
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(syncsAtOnce() ? ["--sync-method=syncfs"] : []),
  ];
  const making = spawn(initdb, args, {
    ...identity,
    // Where it was started from may be closed to it as well.
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe", ...loan.descriptors],
    env: { LC_ALL: "C", PATH: process.env.PATH },
  });
  loan.close();
  const [said, ended] = await Promise.all([
    text(must(making.stderr, "a pipe from initdb")).catch(() => ""),
    once(making, "close").then(
      ([status]) => ({ isDone: status === 0, why: "" }),
      (error: Error) => ({ isDone: false, why: error.message }),
    ),
  ]);
  if (!ended.isDone) {
    rmSync(fresh, { recursive: true, force: true });
    throw startFailed(`initdb failed: ${(said || ended.why).trim()}`);
  }
  renameSync(fresh, folder);
}

/**
 * One call that writes the file system to the disk, instead of one for each of a thousand files. Linux tells of what could
 * not be written since 5.8; before that, and elsewhere, each file is written by itself.
 */
function syncsAtOnce(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 8));
}

/** Asked once a start has failed: most do not, and asking takes a process. */
function requireSameVersion({ postgres }: PostgresBinaries, folder: string): void {
  const made = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  const brought = /(\d+)/.exec(spawnSync(postgres, ["--version"], { encoding: "utf8" }).stdout)?.[1];
  if (made === brought) return;
  throw new StartError(
    "DATABASE_NEWER",
    `The database in ${folder} was made by PostgreSQL ${made}, and this Fettle brings ${brought ?? "none"}.`,
    "Start the Fettle version it was made with, export the data with pg_dump, and import it into a new folder.",
  );
}

/** A socket's path may have 107 bytes at most, so a deep data folder gets a short one among the temporary files. */
function makeSocketFolder(dataFolder: string, identity: Identity): string {
  const beside = join(dataFolder, "run");
  const isShort = Buffer.byteLength(join(beside, ".s.PGSQL.5432.lock")) <= 107;
  const name = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16);
  let folder = isShort ? beside : join(tmpdir(), `fettle-${name}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Temporary folders are everybody's: one of that name that is not ours alone may be a trap.
  const { uid, mode } = lstatSync(folder);
  const isOurs = (uid === process.getuid?.() || uid === identity?.uid) && (mode & 0o170077) === 0o040000;
  if (!isOurs) folder = mkdtempSync(join(tmpdir(), "fettle-"));
  if (identity) chownSync(folder, identity.uid, identity.gid);
  return folder;
}

/** One generation back is enough to see why the last run ended. */
function trimLog(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 5_000_000) renameSync(logFile, `${logFile}.1`);
}

/** Right after a `kill -9` the old shared memory is still held for a second or two, and PostgreSQL refuses to start. */
async function startPatiently(
  start: () => Promise<Postmaster | undefined>,
  whyNot: () => void,
  logFile: string,
): Promise<Postmaster> {
  const deadline = Date.now() + 15_000;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const postmaster = await start();
    if (postmaster) return postmaster;
    whyNot();
    if (Date.now() + pauseMs > deadline) {
      const lastOutputLines = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-5).join("\n");
      throw startFailed(`PostgreSQL does not start. Its log ends with:\n${lastOutputLines}`);
    }
    await delay(pauseMs);
  }
}

/** Restarts the server whenever it ends by itself, forever: while it is down the service waits, and loses nothing. */
async function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster | undefined>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  let current: Postmaster | undefined = first;
  const stopRequested = new Promise<void>((resolve) => {
    stopping.addEventListener("abort", () => resolve(), { once: true });
  });
  for (let pauseMs = 100; !stopping.aborted; ) {
    if (current) {
      await Promise.race([current.exited, stopRequested]);
      if (stopping.aborted) break;
      log.warn("the database ended by itself; starting it again");
      pauseMs = 100;
    } else {
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, 5_000);
      if (stopping.aborted) break;
    }
    current = await start();
    if (current) log.info("the database runs again");
  }
  await current?.stop();
}

async function ensureDatabase(url: Secret): Promise<void> {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [databaseName]);
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}

function startFailed(message: string): StartError {
  return new StartError(
    "DATABASE_START_FAILED",
    message,
    "Check that the data folder's disk has room and is a local one, or set DATABASE_URL to your own PostgreSQL.",
  );
}
