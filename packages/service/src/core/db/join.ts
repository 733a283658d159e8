/** @module Opens a database that is there already, for a command beside the service: it makes none, and changes no shape. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { Config } from "../config/config.ts";
import type { Log } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import { readOwner } from "./lock.ts";
import { requireCurrent } from "./migrate.ts";
import { external, ownEmbedded, type Server } from "./open.ts";
import { openPool, type Pool } from "./pool.ts";

/** How long a service that is just starting or stopping is waited for. */
const patienceMs = 30_000;

export interface JoinedDatabase extends Pool {
  /** Where the service on the data folder answers, while it does. */
  serviceUrl: string | undefined;
}

/**
 * Joins the operator's database, or the embedded one of a running service; without a service the embedded one is started for as
 * long as this takes.
 */
export async function joinDatabase(options: {
  config: Pick<Config, "database" | "dataFolder">;
  log: Log;
}): Promise<JoinedDatabase> {
  const { config, log } = options;
  const { server, serviceUrl } =
    config.database.kind === "external"
      ? { server: external(config.database.url), serviceUrl: undefined }
      : await joinEmbedded(config.dataFolder, log);
  try {
    await requireCurrent(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const pool = openPool({ url: server.url, connections: 2, log });
  return {
    ...pool,
    serviceUrl,
    close: async () => {
      await pool.close();
      await server.stop();
    },
  };
}

async function joinEmbedded(
  dataFolder: string,
  log: Log,
): Promise<{ server: Server; serviceUrl: string | undefined }> {
  requireData(dataFolder);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return { server: await ownEmbedded(dataFolder, log), serviceUrl: undefined };
    } catch (error) {
      if (!(error instanceof StartError) || error.code !== "DATA_FOLDER_IN_USE") throw error;
      // Somebody holds the lock, so what is written is true, or about to be.
      const owner = readOwner(dataFolder);
      if (owner?.databaseUrl) {
        return { server: external(new Secret(owner.databaseUrl)), serviceUrl: owner.serviceUrl };
      }
      if (Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

/** Before anything is locked or started: a mistyped folder must not become a new, empty deployment. */
function requireData(dataFolder: string): void {
  try {
    readdirSync(dataFolder);
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw notFound(dataFolder);
    throw new StartError(
      "DATABASE_UNREACHABLE_FOLDER",
      `This user may not enter the data folder ${dataFolder}.`,
      "Run the command as the user who runs the service.",
      error,
    );
  }
  if (!existsSync(join(dataFolder, "postgres"))) throw notFound(dataFolder);
}

function notFound(dataFolder: string): StartError {
  return new StartError(
    "DATABASE_NOT_FOUND",
    `There is no Fettle database in ${dataFolder}.`,
    "Name the folder that `fettle serve` uses with --data, or set DATABASE_URL.",
  );
}
