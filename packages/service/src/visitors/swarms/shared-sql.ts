/** @module The SQL that personas, journeys and swarms share: rows of a project that are listed, found, changed, and taken out of use. */

import type { ExpectedUpdatedAt, Id, Page, ProjectId } from "@fettle/contract/core";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { isAfterPlace } from "../../core/db/keyset.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { nextUpdate } from "../../core/routing/as-read.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { cutPage, readPlace, writeCursor } from "../../core/routing/page.ts";
import { journeys, liveJourney, livePersona, liveSwarm, personas, swarms } from "../../core/tables/swarms.ts";

type Shelved = typeof personas | typeof swarms | typeof journeys;
type Kind = "persona" | "swarm" | "journey";

export type PersonaRow = typeof personas.$inferSelect;
export type SwarmRow = typeof swarms.$inferSelect;
export type JourneyRow = typeof journeys.$inferSelect;

function shelf<K extends Kind, T extends Shelved>(kind: K, table: T, inUse: SQL) {
  type Row = T["$inferSelect"];
  // The builder cannot follow a table that is one of three; each has these columns, and its own row comes out.
  const select = (db: Querier) => db.select().from(table as typeof personas);
  /** Holds it until the transaction ends: nobody takes it out of use meanwhile. */
  const hold = async (tx: Transaction, projectId: ProjectId, id: Id<K>): Promise<Row | undefined> => {
    const [row] = await select(tx)
      .where(and(sql`${table.id} = ${id}`, eq(table.projectId, projectId), inUse))
      .for("update");
    return row;
  };
  return {
    /** The newest first. */
    async page<Item>(
      db: Querier,
      projectId: ProjectId,
      { cursor, limit }: { cursor?: string | undefined; limit: number },
      view: (row: Row) => Item,
      also?: SQL,
    ): Promise<Page<Item>> {
      const { createdAt, id } = table;
      const beyond = isAfterPlace({ at: createdAt, id }, readPlace<K>(cursor));
      const rows = await select(db)
        .where(and(eq(table.projectId, projectId), inUse, beyond, also))
        .orderBy(desc(createdAt), desc(id))
        .limit(limit + 1);
      const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
      return { items: shown.map(view), ...next };
    },
    async find(db: Querier, projectId: ProjectId, id: Id<K>): Promise<Row | undefined> {
      const [row] = await select(db).where(
        and(sql`${table.id} = ${id}`, eq(table.projectId, projectId), inUse),
      );
      return row;
    },
    hold,
    /** Before a change: it is still what whoever changes it has read. Answers the moment of the change. */
    async holdAsRead(
      app: Pick<App, "now">,
      tx: Transaction,
      { projectId, id }: { projectId: ProjectId; id: Id<K> },
      expectedUpdatedAt: ExpectedUpdatedAt | undefined,
    ): Promise<{ updatedAt: Date }> {
      const before = await hold(tx, projectId, id);
      if (!before) throw notFound(kind);
      const shared = { what: `The ${kind}`, code: `${kind.toUpperCase()}_CHANGED` };
      return { updatedAt: nextUpdate(app, before, expectedUpdatedAt, shared) };
    },
    async insert(tx: Transaction, values: T["$inferInsert"]): Promise<Row> {
      return oneRow(
        await tx
          .insert(table as typeof personas)
          .values(values as typeof personas.$inferInsert)
          .returning(),
      );
    },
    async change(
      tx: Transaction,
      id: Id<K>,
      change: Partial<T["$inferInsert"]> & { updatedAt: Date },
    ): Promise<Row> {
      return oneRow(
        await tx
          .update(table as typeof personas)
          .set(change as Partial<typeof personas.$inferInsert>)
          .where(sql`${table.id} = ${id}`)
          .returning(),
      );
    },
  };
}

export const personaShelf = shelf("persona", personas, livePersona);
export const swarmShelf = shelf("swarm", swarms, liveSwarm);
export const journeyShelf = shelf("journey", journeys, liveJourney);

export async function isPlayed(tx: Transaction, persona: PersonaRow): Promise<boolean> {
  const [row] = await tx
    .select({ id: journeys.id })
    .from(journeys)
    .where(and(eq(journeys.personaId, persona.id), liveJourney))
    .limit(1);
  return row !== undefined;
}

export async function findPersonas(db: Querier, ids: readonly PersonaRow["id"][]): Promise<PersonaRow[]> {
  return ids.length === 0
    ? []
    : db
        .select()
        .from(personas)
        .where(inArray(personas.id, [...ids]));
}

export const ofSwarm = (id: SwarmRow["id"]) => eq(journeys.swarmId, id);
