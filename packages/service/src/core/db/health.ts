/** @module Whether the database takes writes: asked for real, because one on a full disk still answers questions. */
import { accessSync, constants, statfsSync } from "node:fs";
import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import { type OutageReason, outageOf } from "./outage.ts";

export interface Health {
  /** Why nothing can be saved now, or nothing. */
  outage(): Promise<OutageReason | undefined>;
}

declare module "../app.ts" {
  interface App {
    /** Whether the database takes writes. */
    health: Health;
  }
}

/** Longer than this, and whoever asks has given up as well. */
const patienceMs = 2_000;
/** Anyone may ask, so they share an answer. */
const freshMs = 1_000;
/** Two segments of PostgreSQL's log: without room for the next, it ends. */
const leastFree = 32 * 1024 * 1024;

/**
 * Writes a temporary file, which takes room on the disk, and a word into the log, which must reach it. Nothing stays.
 * One message of several statements is one transaction.
 */
const probe = `
  SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM generate_series(1, 20000) AS spilled;
  SELECT CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN NULL
              ELSE pg_logical_emit_message(true, 'fettle', '') END AS written`;

export function createHealth(
  pool: Pick<Pool, "query">,
  config: Pick<Config, "database" | "dataFolder">,
): Health {
  let last: { at: number; outage: Promise<OutageReason | undefined> } | undefined;

  async function ask(): Promise<OutageReason | undefined> {
    const ofDisk = config.database.kind === "embedded" ? outageOfDisk(config.dataFolder) : undefined;
    if (ofDisk) return ofDisk;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<OutageReason>((resolve) => {
      timer = setTimeout(resolve, patienceMs, "database_down");
    });
    try {
      return await Promise.race([write(), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function write(): Promise<OutageReason | undefined> {
    try {
      // Several statements have several results, which the driver's types do not say.
      const results = [await pool.query<{ written: string | null }>(probe)].flat();
      return results.at(-1)?.rows[0]?.written == null ? "read_only" : undefined;
    } catch (error) {
      const outage = outageOf(error) ?? "database_down";
      // Others are being served: it is there.
      return outage === "busy" ? undefined : outage;
    }
  }

  return {
    outage: () => {
      const now = performance.now();
      if (!last || now - last.at > freshMs) last = { at: now, outage: ask() };
      return last.outage;
    },
  };
}

/** The disk of our own database. */
function outageOfDisk(folder: string): OutageReason | undefined {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < leastFree ? "disk_full" : undefined;
  } catch (error) {
    return outageOf(error) ?? "database_down";
  }
}
