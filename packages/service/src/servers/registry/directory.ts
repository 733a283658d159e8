/** @module Searching and reading directories. Nothing here knows who asks: a guest reads what everybody reads. */

import { ApiError, idOf, type Page } from "@fettle/contract/core";
import {
  type DirectoryQuery,
  type DirectoryServer,
  type DirectorySource,
  registryLimits,
} from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import { badCursor, cutPage } from "../../core/routing/page.ts";
import { endpointOf } from "./endpoints.ts";
import { sourcesOf } from "./sources.ts";
import * as store from "./store.ts";

export async function searchDirectory(
  app: App,
  { q = "", source, cursor, limit, ...filters }: DirectoryQuery,
): Promise<Page<DirectoryServer> & { mode: "search" | "browse" }> {
  const words = [...new Set(q.toLowerCase().split(/\s+/).filter(Boolean))].slice(
    0,
    registryLimits.queryWords,
  );
  const asked = { words, sources: askedSources(app, source), ...filters };
  // A place among other entries than these would skip some or show some twice.
  const search = digestOf({ ...asked, sources: source ?? "all" });
  const after = cursor === undefined ? undefined : readPlace(cursor, search);
  const rows = await store.listDirectory(app.db, asked, after, limit + 1);
  const { shown, next } = cutPage(rows, limit, (last) => writePlace(search, last));
  return {
    items: shown.map(toDirectoryServer),
    ...next,
    mode: words.length > 0 ? "search" : "browse",
  };
}

/** By id, then by name; with a source always by name. */
export async function readDirectory(
  app: App,
  idOrName: string,
  source: string | undefined,
): Promise<DirectoryServer> {
  const sources = askedSources(app, source);
  const byId =
    source === undefined
      ? await store.findEntry(app.db, idOf<"catalogServer">().parse(idOrName), sources)
      : undefined;
  if (byId) return toDirectoryServer(byId);
  const [row, ...others] = await store.findEntriesByName(app.db, idOrName, sources);
  if (!row) {
    throw missing(
      "There is no such server in the directory.",
      "Search for a part of its name, in every directory.",
    );
  }
  if (others.length > 0) {
    throw new ApiError("VALIDATION_ERROR", "Several directories have a server of this name. Say which.", {
      path: "query.source",
      code: "AMBIGUOUS_NAME",
      sources: [row, ...others].map((each) => each.source).sort(),
    });
  }
  return toDirectoryServer(row);
}

export async function listDirectorySources(app: App): Promise<DirectorySource[]> {
  const names = sourcesOf(app).map(({ name }) => name);
  const counts = await store.countLive(app.db);
  const read = new Map((await store.listSources(app.db, names)).map((row) => [row.source, row]));
  return names.map((source) => {
    const row = read.get(source);
    return {
      source,
      lastSyncedAt: row?.lastSyncedAt?.getTime() ?? null,
      liveCount: counts.get(source) ?? 0,
      upstreamFetchedAt: row?.upstreamFetchedAt?.getTime() ?? null,
      lastFault: row?.lastFault ?? null,
      skippedCount: row?.skippedCount ?? 0,
    };
  });
}

/** One that is not set up holds nothing. */
function askedSources(app: App, source: string | undefined): string[] {
  const names = sourcesOf(app).map(({ name }) => name);
  return source === undefined || source === "all" ? names : names.filter((name) => name === source);
}

export function toDirectoryServer(row: store.DirectoryRow): DirectoryServer {
  const { displayName, description, version, status, remotes, packages } = row.content;
  return {
    id: row.id,
    source: row.source,
    serverName: row.name,
    displayName,
    description,
    version,
    status,
    ...endpointOf(row.content),
    verifiedTier: row.verifiedTier,
    authPosture: remotes.some(({ headers }) => headers.some(({ isRequired }) => isRequired))
      ? "headers"
      : "unknown",
    unavailableReason: row.removedAt ? "removed" : row.unavailableReason,
    remotes,
    packages,
    websiteUrl: row.content.websiteUrl,
    repositoryUrl: row.content.repositoryUrl,
    latestContentHash: row.contentHash,
  };
}

const Cursor = z.tuple([z.string(), z.int(), z.string(), z.string()]);

function writePlace(search: string, { rank, name, id }: store.Place): string {
  return JSON.stringify([search, rank, name, id]);
}

function readPlace(cursor: string, search: string): store.Place {
  let read: unknown;
  try {
    read = JSON.parse(cursor);
  } catch {
    read = undefined;
  }
  const place = Cursor.safeParse(read);
  if (place.success && place.data[0] === search) {
    const [, rank, name, id] = place.data;
    return { rank, name, id };
  }
  throw badCursor();
}
