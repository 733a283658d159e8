/** @module Whether a launch without a key repeats one of moments ago: it asks for the same, would freeze the same, and the first has not ended. */
import { limits, type ServerId } from "@fettle/contract/core";
import { digestOf } from "@fettle/evals";
import { and, gt, inArray } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { servers } from "../../core/tables/servers.ts";
import type { FrozenRun } from "./frozen.ts";
import type { Launcher, Wanted } from "./launch.ts";
import * as store from "./store.ts";

/** Since when a launch that asks for the same may be the same. */
export const sameSince = ({ app }: Pick<Launcher, "app">) => new Date(app.now() - limits.evals.sameLaunchMs);

export async function findSameRun(
  db: Querier,
  launcher: Launcher,
  { suite, requestHash }: Pick<Wanted, "suite" | "requestHash">,
  frozen: FrozenRun,
): Promise<store.RunRow | undefined> {
  const run = await store.findSameLaunch(db, {
    suiteId: suite.id,
    requestHash,
    userId: launcher.by.userId,
    since: sameSince(launcher),
    isOpen: true,
  });
  return run && (await wouldFreezeTheSame(db, run, frozen)) ? run : undefined;
}

export async function wouldFreezeTheSame(
  db: Querier,
  run: Pick<store.RunRow, "id" | "createdAt" | "target">,
  frozen: FrozenRun,
): Promise<boolean> {
  const before = await store.readFrozen(db, run.id);
  if (!before || contentsOf(before) !== contentsOf(frozen)) return false;
  return !(await haveServersChanged(db, run));
}

/** A run names its servers and reads them as it plays, so their addresses are not among what it froze. */
export async function haveServersChanged(
  db: Querier,
  { createdAt, target }: Pick<store.RunRow, "createdAt" | "target">,
): Promise<boolean> {
  // Frozen from servers' rows.
  const ids = target.servers.map(({ id }) => id as ServerId);
  if (ids.length === 0) return false;
  const changed = await db
    .select({ id: servers.id })
    .from(servers)
    .where(and(inArray(servers.id, ids), gt(servers.updatedAt, createdAt)))
    .limit(1);
  return changed.length > 0;
}

// As it is kept: what is undefined, or a date, comes back otherwise.
const contentsOf = (frozen: FrozenRun) => digestOf(JSON.parse(JSON.stringify(frozen)));
