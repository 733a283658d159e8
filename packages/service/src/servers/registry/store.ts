/** @module The SQL of directories. */
import type { CatalogServerId, ProjectId } from "@fettle/contract/core";
import type { DirectoryRowType, EndpointKind, VerifiedTier } from "@fettle/contract/servers";
import { and, asc, count, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { directoryServers, type FetchedPage, registrySources } from "../../core/tables/registry.ts";
import { liveServer, ownServer, servers } from "../../core/tables/servers.ts";
import type { ServerRow } from "../saved/store.ts";

export type DirectoryRow = typeof directoryServers.$inferSelect;
export type NewDirectoryRow = typeof directoryServers.$inferInsert;
type SourceRow = typeof registrySources.$inferSelect;

const live = isNull(directoryServers.removedAt);

export interface Filters {
  words: readonly string[];
  sources: readonly string[];
  rowType?: DirectoryRowType | undefined;
  endpointKind?: EndpointKind | undefined;
  verifiedTier?: VerifiedTier | undefined;
  connectableOnly: boolean;
}

/** Where a page ended. */
export interface Place {
  rank: number;
  name: string;
  id: string;
}

/** Entries whose name or title has the words stand before those whose description has them. */
export async function listDirectory(
  db: Querier,
  filters: Filters,
  after: Place | undefined,
  limit: number,
): Promise<(DirectoryRow & { rank: number })[]> {
  const { words, sources, rowType, endpointKind, verifiedTier } = filters;
  const head = sql`lower(${directoryServers.name} || ' ' || coalesce(${directoryServers.content}->>'displayName', ''))`;
  const inHead = words.map((word) => sql`position(${word} in ${head}) > 0`);
  const rank: SQL<number> = words.length === 0 ? sql`0` : sql`case when ${and(...inHead)} then 0 else 1 end`;
  const { id, name, searchText } = directoryServers;
  const rows = await db
    .select({ row: directoryServers, rank: sql<number>`(${rank})::int` })
    .from(directoryServers)
    .where(
      and(
        live,
        inArray(directoryServers.source, [...sources]),
        ...words.map((word) => sql`position(${word} in ${searchText}) > 0`),
        rowType && eq(directoryServers.rowType, rowType),
        endpointKind && eq(directoryServers.endpointKind, endpointKind),
        verifiedTier && eq(directoryServers.verifiedTier, verifiedTier),
        filters.connectableOnly ? isNull(directoryServers.unavailableReason) : undefined,
        after && sql`((${rank})::int, ${name}, ${id}) > (${after.rank}::int, ${after.name}, ${after.id})`,
      ),
    )
    .orderBy(sql`(${rank})::int`, asc(name), asc(id))
    .limit(limit);
  return rows.map((each) => ({ ...each.row, rank: each.rank }));
}

/** Also one that its directory has removed. */
export async function findEntry(
  db: Querier,
  id: CatalogServerId,
  sources: readonly string[],
): Promise<DirectoryRow | undefined> {
  const [row] = await db
    .select()
    .from(directoryServers)
    .where(and(eq(directoryServers.id, id), inArray(directoryServers.source, [...sources])));
  return row;
}

export async function findEntriesByName(
  db: Querier,
  name: string,
  sources: readonly string[],
): Promise<DirectoryRow[]> {
  return db
    .select()
    .from(directoryServers)
    .where(and(live, eq(directoryServers.name, name), inArray(directoryServers.source, [...sources])));
}

export async function listSources(db: Querier, sources: readonly string[]): Promise<SourceRow[]> {
  return db
    .select()
    .from(registrySources)
    .where(inArray(registrySources.source, [...sources]));
}

export async function countLive(db: Querier): Promise<Map<string, number>> {
  const rows = await db
    .select({ source: directoryServers.source, count: count() })
    .from(directoryServers)
    .where(live)
    .groupBy(directoryServers.source);
  return new Map(rows.map((row) => [row.source, row.count]));
}

export async function knownPages(db: Querier, source: string): Promise<Record<string, FetchedPage>> {
  const [row] = await db
    .select({ pages: registrySources.pages })
    .from(registrySources)
    .where(eq(registrySources.source, source));
  return row?.pages ?? {};
}

export async function saveSource(
  db: Querier,
  source: string,
  change: Omit<Partial<typeof registrySources.$inferInsert>, "source">,
): Promise<void> {
  await db
    .insert(registrySources)
    .values({ source, ...change })
    .onConflictDoUpdate({ target: registrySources.source, set: { source, ...change } });
}

/** Writes what is new or says something else than before; what says the same keeps its time. */
export async function upsertEntries(tx: Transaction, rows: NewDirectoryRow[]): Promise<void> {
  const { contentHash, removedAt } = directoryServers;
  const taken = (column: string) => sql.raw(`excluded.${column}`);
  await tx
    .insert(directoryServers)
    .values(rows)
    .onConflictDoUpdate({
      target: [directoryServers.source, directoryServers.name],
      set: {
        content: taken("content"),
        contentHash: taken("content_hash"),
        searchText: taken("search_text"),
        rowType: taken("row_type"),
        endpointKind: taken("endpoint_kind"),
        verifiedTier: taken("verified_tier"),
        unavailableReason: taken("unavailable_reason"),
        updatedAt: taken("updated_at"),
        removedAt: null,
      },
      setWhere: sql`${contentHash} <> excluded.content_hash or ${removedAt} is not null
        or ${directoryServers.unavailableReason} is distinct from excluded.unavailable_reason
        or ${directoryServers.verifiedTier} <> excluded.verified_tier`,
    });
}

export async function removeOthers(
  tx: Transaction,
  source: string,
  names: readonly string[],
  now: Date,
): Promise<void> {
  await tx
    .update(directoryServers)
    .set({ removedAt: now })
    .where(
      and(
        eq(directoryServers.source, source),
        live,
        sql`not (${directoryServers.name} = any(${sql.param([...names])}::text[]))`,
      ),
    );
}

/** The live servers of a project that came from a registry, newest first. */
export async function listInstalled(db: Querier, projectId: ProjectId): Promise<ServerRow[]> {
  return db
    .select()
    .from(servers)
    .where(and(eq(servers.projectId, projectId), liveServer, ownServer, isNotNull(servers.provenance)))
    .orderBy(sql`(${servers.provenance}->>'connectedAt')::bigint desc`, servers.id);
}

export async function findInstalled(
  db: Querier,
  projectId: ProjectId,
  from: string,
): Promise<ServerRow | undefined> {
  const [row] = await db
    .select()
    .from(servers)
    .where(and(eq(servers.projectId, projectId), liveServer, sql`${servers.provenance}->>'from' = ${from}`));
  return row;
}
