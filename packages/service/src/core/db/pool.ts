/** @module Connections to the database: a pool that outlives restarts of PostgreSQL, with Drizzle on top. */
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "@fettle/contract/core";
import type { Secret } from "@fettle/contract/secrets";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Log } from "../log/log.ts";
import { repeatingOnce } from "./contention.ts";
import { connectedBy, DatabaseSilent, hurryQueries } from "./query-timeout.ts";
import { createShares, type Place, type Shares } from "./shares.ts";
import { sendStorable } from "./storable.ts";

export type Database = NodePgDatabase & { $client: pg.Pool };
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** What a store function takes: the database, or the caller's transaction. */
export type Querier = Database | Transaction;

export interface Pool {
  db: Database;
  /** For SQL that Drizzle has no words for. */
  pool: pg.Pool;
  close(): Promise<void>;
}

declare module "../app.ts" {
  interface App {
    db: Database;
    /** The connections under `db`, for parts that speak SQL themselves. */
    pool: pg.Pool;
  }
}

export function openPool(options: {
  url: Secret;
  connections: number;
  log: Log;
  /** How long a caller waits for a database that is down or starting before the call fails. */
  patienceMs?: number;
  /** How long a query of a request waits for an answer. Less than the patience: who waits for its connection then hears too. */
  answerMs?: number;
  /** No query at all is meant to take this long; one that does has lost its server. */
  queryTimeoutMs?: number;
  /** Of PostgreSQL, for each of these connections. */
  settings?: Record<string, string>;
}): Pool {
  // Callers are promised a word within ten seconds.
  const {
    url,
    connections,
    log,
    patienceMs = 9_500,
    answerMs = 9_000,
    queryTimeoutMs = 60_000,
    settings = {},
  } = options;
  const assignments = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`);
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: connections,
    application_name: "fettle",
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The server gives up first and says so; the client's own limit is for a connection whose other end is gone.
    statement_timeout: queryTimeoutMs,
    query_timeout: queryTimeoutMs * 1.1,
    idle_in_transaction_session_timeout: queryTimeoutMs,
    // Awaited before the connection is given out.
    ...(assignments.length > 0 && { onConnect: (client) => client.query(assignments.join("; ")) }),
  });
  // Without listeners, a connection that PostgreSQL closes would end the process: idle, or between two queries of a transaction.
  pool.on("error", (error) => log.debug("an idle database connection was lost", { error }));
  pool.on("connect", (client) => {
    sendStorable(client);
    hurryQueries(client, answerMs);
    client.on("error", (error) => log.debug("a database connection was lost", { error }));
  });
  connectPatiently(pool, patienceMs, createShares(connections));
  repeatStatements(pool, log);

  const db = drizzle({ client: pool });
  // Drizzle's own takes a connection and, when BEGIN fails on it, never gives it back; after a few restarts of
  // PostgreSQL the pool would be empty.
  db.transaction = (work, config) =>
    repeatingOnce(log, async () => {
      const client = await pool.connect();
      let fault: unknown;
      try {
        const transact = () => drizzle({ client }).transaction(work, config);
        return await (places.get(client)?.inside(transact) ?? transact());
      } catch (error) {
        fault = error;
        throw error;
      } finally {
        client.release(isConnectionFault(fault));
      }
    });
  return { db, pool, close: () => pool.end() };
}

/** A statement on its own is a transaction of its own. */
function repeatStatements(pool: pg.Pool, log: Log): void {
  // pg declares an overload for each way to ask; none of ours passes a callback.
  type Ask = (...asked: unknown[]) => Promise<unknown>;
  const ask = pool.query.bind(pool) as Ask;
  const repeated: Ask = (...asked) => repeatingOnce(log, () => ask(...asked));
  pool.query = repeated as typeof pool.query;
}

/** Of the connections that are given out. */
const places = new WeakMap<pg.PoolClient, Place>();

/** The pool sets `release` anew for everyone who gets the connection. */
function givingBack(client: pg.PoolClient, place: Place): pg.PoolClient {
  const release = client.release.bind(client);
  places.set(client, place);
  client.release = (fault) => {
    places.delete(client);
    place.leave(!fault);
    release(fault);
  };
  return client;
}

/** Makes `connect` wait while the database is down. No statement has been sent by then, so trying again is always safe. */
function connectPatiently(pool: pg.Pool, patienceMs: number, shares: Shares): void {
  const connectOnce: () => Promise<pg.PoolClient> = pool.connect.bind(pool);
  const connect = async () => {
    const deadline = Date.now() + patienceMs;
    const place = await shares.enter(patienceMs);
    if (!place) throw new DatabaseSilent("a connection");
    try {
      return givingBack(await connectBy(deadline), place);
    } catch (error) {
      place.leave(false);
      throw error;
    }
  };
  const connectBy = async (deadline: number) => {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      try {
        return await connectedBy(deadline, connectOnce());
      } catch (error) {
        if (pool.ending || !isConnectionFault(error)) throw error;
        // The driver's own words for a late connection hide behind a cause, which errors of other kinds have too.
        if (Date.now() + pauseMs > deadline) throw new DatabaseSilent("a connection", error);
        await delay(pauseMs);
      }
    }
  };
  type Callback = (error: unknown, client?: pg.PoolClient, release?: () => void) => void;
  const either = (callback?: Callback) => {
    const connecting = connect();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
  };
  // pg declares one overload for each of the two ways; a single function serves both.
  pool.connect = either as pg.Pool["connect"];
}

const faultCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "53300", // too many connections
  "57P01", // terminated by an administrator
  "57P02", // crash shutdown
  "57P03", // starting up or shutting down
]);

/** Whether the database, rather than the statement, is at fault; the cause of a Drizzle error counts as the error. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent) return true;
  const code = codeOf(error);
  if (typeof code === "string" && (faultCodes.has(code) || code.startsWith("08"))) return true;
  // pg gives these no code.
  if (
    /^Connection terminated|^Query read timeout|^timeout exceeded|not queryable|Client was closed/.test(
      error.message,
    )
  ) {
    return true;
  }
  return isConnectionFault(error.cause);
}
