/** @module Tells open pages what has changed, so that they fetch it anew; whoever lost access by it loses their stream, too. */
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";

type Topic = `account:${string}` | `organization:${string}` | `project:${string}`;

/**
 * Told when the transaction commits.
 *
 * @example
 * await announce(app, tx, `organization:${organizationId}`, `account:${userId}`);
 */
export async function announce(app: App, tx: Transaction, ...topics: Topic[]): Promise<void> {
  for (const topic of topics) await app.events.publish(topic, "changed", {}, { inTransaction: tx });
}
