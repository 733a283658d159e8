/** @module Tells open pages what has changed, so that they fetch it anew; whoever lost access by it loses their stream, too. */
import type { ProjectId, ProjectPart } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";

type Topic = `account:${string}` | `organization:${string}` | `project:${string}`;

/**
 * Told when the transaction commits.
 *
 * @example
 * await announce(app, tx, `organization:${organizationId}`, `account:${userId}`);
 */
export async function announce(
  app: { events: Pick<App["events"], "publish"> },
  tx: Transaction,
  ...topics: Topic[]
): Promise<void> {
  for (const topic of topics) await app.events.publish(topic, "changed", {}, { inTransaction: tx });
}

/**
 * The same for a change inside a project: it says in which part, so that a page reads only that anew.
 *
 * @example
 * await announceInProject(app, tx, project.id, "environments");
 */
export async function announceInProject(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  about: ProjectPart,
): Promise<void> {
  await app.events.publish(`project:${projectId}`, "changed", { about }, { inTransaction: tx });
}

/** Of what goes on step by step: pages are told once a second at most that there is more to see. */
export function createTeller(app: App, projectId: ProjectId, about: ProjectPart): () => void {
  let toldAt = 0;
  return () => {
    if (app.now() - toldAt < 1_000) return;
    toldAt = app.now();
    // Only a word on the way: nothing depends on it.
    app.db
      .transaction((tx) => announceInProject(app, tx, projectId, about))
      .catch((error: unknown) => app.log.warn("progress could not be told", { about, error }));
  };
}
