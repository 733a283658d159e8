/** @module What one running process of the service holds; made once at start and handed to every rule function. */
import { limits } from "@fettle/contract";
import type { Config } from "./config.ts";
import { makeDataFolder } from "./data-folder.ts";
import { requireRunnable } from "./db/embedded.ts";
import { createHealth, type Health } from "./db/health.ts";
import { openListener } from "./db/listener.ts";
import { type OpenDatabase, type Ownership, openDatabase } from "./db/open.ts";
import type { Database } from "./db/pool.ts";
import { createEvents, type Events } from "./events/events.ts";
import { type Audience, createAudience } from "./http/audience.ts";
import { createOpenStreams, type OpenStreams } from "./http/open-streams.ts";
import { insightSources } from "./insight-sources.ts";
import type { Source } from "./insights/source.ts";
import { jobDefinitions } from "./job-definitions.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { type Asks, createAsks } from "./live/asks.ts";
import { createLargePlaces, type LargePlaces } from "./live/large-places.ts";
import { type ConnectionPool, createPool } from "./live/pool.ts";
import { createServerThreads, type ServerThreads } from "./live/server-threads.ts";
import { createLog, type Log } from "./log/log.ts";
import { createIntents } from "./models/intents.ts";
import { createModels, type Models } from "./models/models.ts";
import { createSettlements } from "./models/settlements.ts";
import { createRelay, type Relay } from "./relay/relay.ts";
import { createHolder, type Holder } from "./sandbox-engine/holder.ts";
import { createSandboxes, type Sandboxes } from "./sandbox-engine/sandboxes.ts";
import { createServerSandboxes, type ServerSandboxes } from "./sandboxed-servers/server-sandboxes.ts";
import { createHistory, type History } from "./server-history/keeper.ts";
import { tellTurned } from "./server-history/tell-turned.ts";
import { requireKey } from "./vault/check.ts";
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
  jobs: Jobs;
  events: Events;
  /** The live streams of pages that are open in this process. */
  openStreams: OpenStreams;
  /** The same of visitors, who take no place from those. */
  visitStreams: OpenStreams;
  /** Asks whether those who follow them still may. */
  audience: Audience;
  /** Connections to saved MCP servers, kept warm between calls. */
  connections: ConnectionPool;
  /** Questions to saved servers that are open in front of people, here and in other processes. */
  asks: Asks;
  /** The ways to models, shared by everything that calls them. */
  models: Models;
  /** Whoever keeps conversations that insights are found in. */
  insightSources: readonly Source[];
  /** Where the servers of projects are spoken to that have sent much. */
  serverThreads: ServerThreads;
  /** Writes down what was done with servers. */
  history: History;
  /** Bounds the large answers that are held in the main thread. */
  largePlaces: LargePlaces;
  /** Whether the database takes writes. */
  health: Health;
  /** The tunnels whose hosts are connected to this process, and the way to the others. */
  relay: Relay;
  /** Where containers are run. */
  sandboxes: Sandboxes;
  /** This process, to containers that are of no use without it. */
  sandboxHolder: Holder;
  serverSandboxes: ServerSandboxes;
  /** The clock, in epoch milliseconds; a test may turn it. */
  now(): number;
}

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
    await requireKey(db, vault);
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
