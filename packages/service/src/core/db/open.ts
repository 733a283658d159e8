/** @module Opens the database the configuration asks for: ours in the data folder, or the operator's. */
import { Secret } from "@fettle/contract/secrets";
import type { Config } from "../config/config.ts";
import { makeDataFolder } from "../data-folder.ts";
import type { Log } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import { type Runnable, startEmbedded } from "./embedded.ts";
import { lockFolder, readOwner } from "./lock.ts";
import { migrateDatabase } from "./migrate.ts";
import { openPool, type Pool } from "./pool.ts";

export interface OpenDatabase extends Pool {
  /** For the parts that hold a connection of their own. */
  url: Secret;
  /** Tells commands on the same data folder where the service answers. */
  publishService(url: string): void;
}

/** `own` starts an embedded database and is its only owner; `attach` (`fettle work`) joins the one that runs. */
export type Ownership = "own" | "attach";

/**
 * Starts or finds the database, migrates it, and opens a pool on it.
 */
export async function openDatabase(options: {
  config: Pick<Config, "database" | "dataFolder" | "databaseConnections">;
  log: Log;
  ownership?: Ownership;
  /** Where the caller has asked what our own is run with. */
  runnable?: Runnable | undefined;
}): Promise<OpenDatabase> {
  const { config, log, ownership = "own" } = options;
  makeDataFolder(config.dataFolder);
  const server =
    config.database.kind === "external"
      ? external(config.database.url)
      : ownership === "own"
        ? await ownEmbedded(config.dataFolder, log, options.runnable)
        : findEmbedded(config.dataFolder);
  try {
    await migrateDatabase(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const pool = openPool({ url: server.url, connections: config.databaseConnections, log });
  return {
    ...pool,
    url: server.url,
    publishService: server.publishService,
    close: async () => {
      await pool.close();
      await server.stop();
    },
  };
}

export interface Server {
  url: Secret;
  publishService(url: string): void;
  stop(): Promise<void>;
}

/** One that somebody else starts and stops. */
export function external(url: Secret): Server {
  return { url, publishService: () => {}, stop: async () => {} };
}

export async function ownEmbedded(dataFolder: string, log: Log, runnable?: Runnable): Promise<Server> {
  const lock = lockFolder(dataFolder);
  try {
    const embedded = await startEmbedded({ dataFolder, log, runnable });
    lock.publish({ databaseUrl: embedded.url.reveal() });
    return {
      url: embedded.url,
      publishService: (serviceUrl) => lock.publish({ serviceUrl }),
      stop: async () => {
        await embedded.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The owner may restart meanwhile: its socket keeps its place, so the pool finds it again. */
function findEmbedded(dataFolder: string): Server {
  const url = readOwner(dataFolder)?.databaseUrl;
  if (url) return external(new Secret(url));
  throw new StartError(
    "DATABASE_NOT_RUNNING",
    `No Fettle service runs on the data folder ${dataFolder}, so there is no database to work on.`,
    "Start `fettle serve` first, or set DATABASE_URL to the PostgreSQL that both use.",
  );
}
