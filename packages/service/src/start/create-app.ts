/** @module Starts what one process of the service holds: the only place that knows every part of an `App`. */

import { limits } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import type { Config } from "../core/config/config.ts";
import { makeDataFolder } from "../core/data-folder.ts";
import { requireRunnable } from "../core/db/embedded.ts";
import { createHealth } from "../core/db/health.ts";
import { openListener } from "../core/db/listener.ts";
import { type Ownership, openDatabase } from "../core/db/open.ts";
import { createEvents } from "../core/events/events.ts";
import { createJobs } from "../core/jobs/jobs.ts";
import { createLog, type Log } from "../core/log/log.ts";
import { requireKey } from "../core/vault/check.ts";
import { findVaultKeys } from "../core/vault/key.ts";
import { createVault } from "../core/vault/vault.ts";
import { createAudience } from "../http/audience.ts";
import { createOpenStreams } from "../http/streams/open-streams.ts";
import { createIntents } from "../models/intents.ts";
import { createModels } from "../models/models.ts";
import { createSettlements } from "../models/settlements.ts";
import { createHolder } from "../sandboxes/engine/holder.ts";
import { createSandboxes } from "../sandboxes/engine/sandboxes.ts";
import { createServerSandboxes } from "../sandboxes/servers/server-sandboxes.ts";
import { createHistory } from "../servers/history/keeper.ts";
import { tellTurned } from "../servers/history/tell-turned.ts";
import { createAsks } from "../servers/live/asks.ts";
import { createLargePlaces } from "../servers/live/large-places.ts";
import { createPool } from "../servers/live/pool.ts";
import { createServerThreads } from "../servers/live/server-threads.ts";
import { createRelay } from "../servers/relay/relay.ts";
import { createTurnLines } from "../visitors/user-testing/turn-lines.ts";
import { insightSources } from "./insight-sources.ts";
import { jobDefinitions } from "./job-definitions.ts";

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
  if (config.database.kind === "embedded" && ownership === "own") requireRunnable(config.dataFolder);
  makeDataFolder(config.dataFolder);
  const keys = findVaultKeys(config);
  const database = await openDatabase({ config, log, ownership });
  if (config.database.kind === "external" && !config.secretKey) {
    log.warn(
      "secrets are sealed with a key only this machine has; set FETTLE_SECRET_KEY to use the database from another",
    );
  }
  const { db, pool } = database;
  const vault = createVault(keys.current, keys.previous);
  try {
    // A key is changed only by naming the old one: the key file must not make a mistyped key the new one.
    await requireKey(db, createVault(keys.current, config.previousSecretKeys));
  } catch (error) {
    await database.close();
    throw error;
  }
  const listener = openListener({ url: database.url, log });
  const events = createEvents({ db, listener, log });
  const sandboxHolder = createHolder({ db, now });
  const app: App = {
    config,
    db,
    pool,
    log,
    vault,
    jobs: createJobs({ db, url: database.url, listener, definitions: jobDefinitions, now }),
    events,
    history: createHistory({ db, events, log, tellTurned: (...entry) => tellTurned(app, ...entry) }),
    openStreams: createOpenStreams(),
    visitStreams: createOpenStreams(limits.userTesting.streams),
    turnLines: createTurnLines(),
    audience: createAudience({ pool, now }),
    connections: createPool(),
    asks: createAsks({ pool, listener, vault, log }),
    models: createModels(config, {
      intents: createIntents({ pool }),
      settlements: createSettlements({ pool, log }),
    }),
    insightSources,
    serverThreads: createServerThreads(log),
    largePlaces: createLargePlaces(),
    health: createHealth(pool, config),
    relay: createRelay({ db, pool, listener, log, now }),
    sandboxes: createSandboxes({ config: config.sandbox, db, log }),
    sandboxHolder,
    serverSandboxes: createServerSandboxes({ holder: sandboxHolder, db }),
    now,
  };
  const closers = [
    () => database.close(),
    () => listener.close(),
    async () => app.history.close(),
    () => app.relay.close(),
    async () => app.asks.close(),
    () => app.sandboxHolder.close(),
    () => app.connections.close(),
    () => app.models.close(),
    () => app.serverThreads.close(),
  ];
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
