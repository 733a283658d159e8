/** @module The process's one LISTEN connection: hands notifications to those who asked, and comes back when it is lost. */
import { setTimeout as delay } from "node:timers/promises";
import type { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import type { Log } from "../log/log.ts";
import { giveUp } from "./query-timeout.ts";

interface Subscription {
  notified(payload: string): void;
  /**
   * Notifications may have been missed before this moment: called after the first connection and each later one, with
   * how long there may have been none.
   */
  connected(awayMs: number): void;
}

export interface Listener {
  /** Returns the way to stop. */
  listen(channel: string, subscription: Subscription): () => void;
  close(): Promise<void>;
}

/** A connection whose other end vanished without a word is noticed within the two together. */
const checkEveryMs = 15_000;
const answerWithinMs = 5_000;

export function openListener({ url, log }: { url: Secret; log: Log }): Listener {
  const subscriptions = new Map<string, Set<Subscription>>();
  const closing = new AbortController();
  let current: pg.Client | undefined;
  let aliveAt = performance.now();

  const all = () => [...subscriptions.values()].flatMap((set) => [...set]);

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url.reveal(),
      application_name: "fettle listener",
      connectionTimeoutMillis: 10_000,
      query_timeout: answerWithinMs,
      keepAlive: true,
    });
    client.on("error", (error) => log.debug("the notification connection was lost", { error }));
    client.on("notification", ({ channel, payload = "" }) => {
      for (const subscription of subscriptions.get(channel) ?? []) subscription.notified(payload);
    });
    try {
      await client.connect();
      for (const channel of subscriptions.keys())
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      disconnect(client);
      throw error;
    }
    return client;
  }

  /** Resolves when the connection is no longer good. */
  async function whileAlive(client: pg.Client): Promise<void> {
    const ended = new AbortController();
    client.once("end", () => ended.abort());
    const gone = AbortSignal.any([ended.signal, closing.signal]);
    while (!gone.aborted) {
      await delay(checkEveryMs, undefined, { signal: gone }).catch(() => undefined);
      if (gone.aborted) return;
      await client.query("select 1").then(
        () => {
          aliveAt = performance.now();
        },
        () => ended.abort(),
      );
    }
  }

  async function run(): Promise<void> {
    for (let pauseMs = 100; !closing.signal.aborted; ) {
      try {
        current = await connect();
        pauseMs = 100;
        const awayMs = performance.now() - aliveAt;
        aliveAt = performance.now();
        for (const subscription of all()) subscription.connected(awayMs);
        await whileAlive(current);
      } catch (error) {
        log.debug("the notification connection could not be made", { error });
        await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, 2_000);
      } finally {
        if (current) disconnect(current);
        current = undefined;
      }
    }
  }
  const running = run();

  return {
    listen: (channel, subscription) => {
      const set = subscriptions.get(channel) ?? new Set();
      const isNew = set.size === 0;
      subscriptions.set(channel, set.add(subscription));
      const client = current;
      if (client) {
        const listening = isNew ? client.query(`listen ${pg.escapeIdentifier(channel)}`) : Promise.resolve();
        // When it fails the connection is lost too, and the next one listens to everything.
        listening.then(
          () => subscription.connected(0),
          () => disconnect(client),
        );
      }
      return () => {
        set.delete(subscription);
      };
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

/** Does not wait for the other end, which may be gone. */
function disconnect(client: pg.Client): void {
  client.end().catch(() => undefined);
  giveUp(client);
}
