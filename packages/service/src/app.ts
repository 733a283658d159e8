/** @module What one running process of the service holds; made once at start and handed to every rule function. */
import type { Config } from "./config.ts";
import { makeDataFolder } from "./data-folder.ts";
import { type OpenDatabase, type Ownership, openDatabase } from "./db/open.ts";
import type { Database } from "./db/pool.ts";
import { createLog, type Log } from "./log/log.ts";
import { findVaultKeys } from "./vault/key.ts";
import { createVault, type Vault } from "./vault/vault.ts";

/** Each part is added by the folder that owns it. */
export interface App {
  config: Config;
  db: Database;
  /** The connections under `db`, for parts that speak SQL themselves. */
  pool: OpenDatabase["pool"];
  log: Log;
  vault: Vault;
  /** The clock, in epoch milliseconds; a test may turn it. */
  now(): number;
}

export interface RunningApp extends App {
  /** Ends everything the app started, in the reverse order; safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts what a process needs, database first. It listens on nothing yet.
 *
 * @example
 * const app = await createApp(readConfig({ env: process.env }));
 * try { … } finally { await app.stop(); }
 */
export async function createApp(
  config: Config,
  options: { ownership?: Ownership; log?: Log; now?: () => number } = {},
): Promise<RunningApp> {
  const { ownership = "own", log = createLog(config.log), now = Date.now } = options;
  makeDataFolder(config.dataFolder);
  const { current, previous } = findVaultKeys(config);
  const database = await openDatabase({ config, log, ownership });
  let stopping: Promise<void> | undefined;
  return {
    config,
    db: database.db,
    pool: database.pool,
    log,
    vault: createVault(current, previous),
    now,
    stop: () => {
      stopping ??= database.close();
      return stopping;
    },
  };
}
