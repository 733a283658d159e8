/** @module Starts what one process of the service holds. The database first: the other parts are loaded while it starts. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "../core/app.ts";
import type { Config } from "../core/config/config.ts";
import { makeDataFolder } from "../core/data-folder.ts";
import { requireRunnable } from "../core/db/embedded.ts";
import { type Ownership, openDatabase } from "../core/db/open.ts";
import { createLog, type Log } from "../core/log/log.ts";
import { requireKey } from "../core/vault/check.ts";
import { findVaultKeys } from "../core/vault/key.ts";
import { createVault } from "../core/vault/vault.ts";

export interface RunningApp extends App {
  /** Runs background jobs in this process too, until the app stops. */
  work(): Promise<void>;
  /** Tells commands on the same data folder where this service answers. */
  publishService(url: string): void;
  /** Ends everything the app started, in the reverse order; safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts what a process needs, database first. It listens on nothing and runs no job yet.
 *
 * @example
 * const app = await createApp(readConfig({ env: process.env }));
 * await app.work();
 * process.once("SIGTERM", () => app.stop());
 */
export async function createApp(
  config: Config,
  options: { ownership?: Ownership; log?: Log; now?: () => number } = {},
): Promise<RunningApp> {
  const { ownership = "own", log = createLog(config.log), now = Date.now } = options;
  // Before anything is written: a start that cannot succeed leaves no folder and no key behind.
  const ownsDatabase = config.database.kind === "embedded" && ownership === "own";
  const runnable = ownsDatabase ? requireRunnable(config.dataFolder) : undefined;
  makeDataFolder(config.dataFolder);
  const keys = findVaultKeys(config);
  const opening = openDatabase({ config, log, ownership, runnable });
  // Reading the rest of the program takes about as long as PostgreSQL, which is started by the next turn.
  const loading = nextTurn().then(() => import("./app-parts.ts"));
  const [database, { createParts }] = await Promise.all([opening, loading]);
  if (config.database.kind === "external" && !config.secretKey) {
    log.warn(
      "secrets are sealed with a key only this machine has; set FETTLE_SECRET_KEY to use the database from another",
    );
  }
  const vault = createVault(keys.current, keys.previous);
  try {
    // A key is changed only by naming the old one: the key file must not make a mistyped key the new one.
    await requireKey(database.db, createVault(keys.current, config.previousSecretKeys));
  } catch (error) {
    await database.close();
    throw error;
  }
  const { app, closers } = createParts({ config, database, vault, log, now });
  let stopping: Promise<void> | undefined;
  return {
    ...app,
    work: async () => {
      // What a killed process left in the engine goes with the first tick; that there is one is said now.
      await app.sandboxes.engine().catch(() => undefined);
      const worker = await app.jobs.work(app, { concurrency: config.jobs.concurrency });
      closers.push(() => worker.stop());
    },
    publishService: database.publishService,
    stop: () => {
      stopping ??= closers.reduceRight((before, close) => before.then(close), Promise.resolve());
      return stopping;
    },
  };
}
