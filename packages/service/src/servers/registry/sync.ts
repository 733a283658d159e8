/** @module Reads every directory anew, as a job: each by itself, and what fails leaves the copy that was there. */
import { registryLimits } from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { defineJob, type JobCall } from "../../core/jobs/define.ts";
import { endpointOf, tierOf } from "./endpoints.ts";
import type { Entry } from "./read-entries.ts";
import { type Reading, SourceFault } from "./reading.ts";
import { type Source, sourcesOf } from "./sources.ts";
import * as store from "./store.ts";

export const syncRegistriesJob = defineJob({
  name: "registry.sync",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: registryLimits.syncMs,
  takesLong: true,
  schedule: { cron: "7 * * * *", input: {} },
  run: syncRegistries,
});

type Syncing = Pick<JobCall<object>, "app" | "signal" | "log" | "requireLease">;

export async function syncRegistries(call: Syncing): Promise<void> {
  for (const source of sourcesOf(call.app)) await syncSource(call, source);
}

/** At a start: what an operator has just set up, or put into his file, is there without waiting for the hour. */
export async function syncRegistriesSoon(app: App): Promise<void> {
  await app.jobs.enqueue(syncRegistriesJob, {}, { singletonKey: "at start" });
}

async function syncSource({ app, signal, log, requireLease }: Syncing, source: Source): Promise<void> {
  const now = new Date(app.now());
  try {
    const reading = await source.read(app, await store.knownPages(app.db, source.name), signal);
    await app.db.transaction(async (tx) => {
      await requireLease(tx);
      await store.saveSource(tx, source.name, {
        lastSyncedAt: now,
        lastFault: null,
        skippedCount: reading.skipped,
        pages: reading.pages,
        ...(reading.entries.length > 0 && { upstreamFetchedAt: now }),
      });
      await writeReading(tx, source, reading, now);
    });
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    const lastFault = error.message.slice(0, registryLimits.faultLength);
    log.warn("a directory of servers could not be read", { source: source.name, reason: lastFault });
    await store.saveSource(app.db, source.name, { lastFault });
  }
}

async function writeReading(tx: Transaction, source: Source, reading: Reading, now: Date): Promise<void> {
  const { entries, unchanged } = reading;
  // In one order everywhere, so that two processes that write the same rows wait for each other and never in a circle.
  const rows = entries.map((entry) => rowOf(source, entry, now)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (let from = 0; from < rows.length; from += registryLimits.batch) {
    await store.upsertEntries(tx, rows.slice(from, from + registryLimits.batch));
  }
  await store.removeOthers(tx, source.name, [...entries.map(({ name }) => name), ...unchanged], now);
}

function rowOf(source: Source, { name, content }: Entry, now: Date): store.NewDirectoryRow {
  const { rowType, endpointKind, unavailableReason } = endpointOf(content);
  return {
    id: newId("catalogServer", now.getTime()),
    source: source.name,
    name,
    content,
    contentHash: digestOf({ name, ...content }),
    searchText: `${name} ${content.displayName ?? ""} ${content.description}`.toLowerCase(),
    rowType,
    endpointKind,
    verifiedTier: source.isBundled ? "bundled" : tierOf(name, content.remotes),
    unavailableReason,
    updatedAt: now,
  };
}
