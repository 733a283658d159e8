/**
 * @module How long anybody waits for a database that says nothing. PostgreSQL's own limits are no help against one that is stopped, or
 * behind a network that drops everything: only we can give the connection up.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

/** Nothing came in the time that there was. */
export class DatabaseSilent extends Error {
  constructor(awaited: string, cause?: unknown) {
    super(`The database did not answer in time: ${awaited}.`, { cause });
    this.name = "DatabaseSilent";
  }
}

const unhurried = new AsyncLocalStorage<true>();

/** Queries asked in `work` may take long for good reasons (a job's, a wait for somebody's lock); the pool's outer limit holds. */
export function withoutQueryTimeout<T>(work: () => PromiseLike<T>): Promise<T> {
  // Awaited inside: a statement of Drizzle's is asked only when somebody waits for it.
  return unhurried.run(true, async () => await work());
}

/** Any other query that has no answer by then loses its connection; what waits behind it (the ROLLBACK) then fails at once. */
export function hurryQueries(client: pg.PoolClient, withinMs: number): void {
  // pg declares an overload for each way to ask; what is passed through here is whatever the caller chose.
  type Ask = (...asked: unknown[]) => unknown;
  const ask: Ask = client.query.bind(client);
  const hurried: Ask = (...asked) => {
    if (unhurried.getStore()) return ask(...asked);
    const late = setTimeout(() => giveUp(client, new DatabaseSilent("a query")), withinMs);
    const done = asked.at(-1);
    if (typeof done === "function") {
      return ask(...asked.slice(0, -1), (...answer: unknown[]) => {
        clearTimeout(late);
        done(...answer);
      });
    }
    return (ask(...asked) as Promise<unknown>).finally(() => clearTimeout(late));
  };
  client.query = hurried as typeof client.query;
}

/** Does not wait for the other end; every query that waits for it fails with the reason. */
export function giveUp(client: pg.ClientBase, reason?: Error): void {
  // The declared types leave the connection out.
  const { connection } = client as pg.ClientBase & {
    connection: { stream: { destroy(error?: Error): void } };
  };
  connection.stream.destroy(reason);
}

/** The connection, if it is there by `deadline`; one that comes later goes back to the pool. */
export async function connectedBy(
  deadline: number,
  connecting: Promise<pg.PoolClient>,
): Promise<pg.PoolClient> {
  const late = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      late.reject(new DatabaseSilent("a connection"));
    },
    Math.max(0, deadline - Date.now()),
  );
  connecting.then(
    (client) => isLate && client.release(),
    () => undefined,
  );
  try {
    return await Promise.race([connecting, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
