/** @module How it stands with visitors whose pages listen: one question for everyone whom the same event or the same tick makes ask. */
import type { VisitorId } from "@fettle/contract/core";
import { desc, eq, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { askedTogether } from "../../core/asked-together.ts";
import type { Querier } from "../../core/db/pool.ts";
import { scenarioSessions, scenarios, scenarioVisitors } from "../../core/tables/user-testing.ts";
import type { SessionRow } from "./session-store.ts";
import type { Admitted } from "./visits.ts";

export interface Watched extends Admitted {
  /** The conversation that is open, or was last. */
  latest: Pick<SessionRow, "id" | "ended" | "lastActivityAt"> | null;
}

export interface VisitWatch {
  /** Undefined when the visitor is not known any more. Everything that was committed before it was called counts. */
  look(visitorId: VisitorId): Promise<Watched | undefined>;
}

declare module "../../core/app.ts" {
  interface App {
    visitWatch: VisitWatch;
  }
}

export function createVisitWatch({ db }: Pick<App, "db">): VisitWatch {
  const ask = askedTogether((ids: readonly VisitorId[]) => readWatched(db, ids));
  return { look: async (id) => (await ask(id)).get(id) };
}

async function readWatched(db: Querier, ids: readonly VisitorId[]): Promise<Map<VisitorId, Watched>> {
  const { id, ended, lastActivityAt, visitorId, startedAt } = scenarioSessions;
  const latest = db
    .select({ id, ended, lastActivityAt })
    .from(scenarioSessions)
    .where(eq(visitorId, scenarioVisitors.id))
    .orderBy(desc(startedAt), desc(id))
    .limit(1)
    .as("latest");
  const { userId, memberId, isOfProject, accessVersion, lastSeenAt } = scenarioVisitors;
  const { projectId, mode, unpublishedAt } = scenarios;
  const rows = await db
    .select({
      id: scenarioVisitors.id,
      visitor: { userId, memberId, isOfProject, accessVersion, lastSeenAt },
      scenario: { projectId, mode, accessVersion: scenarios.accessVersion, unpublishedAt },
      latest: { id: latest.id, ended: latest.ended, lastActivityAt: latest.lastActivityAt },
    })
    .from(scenarioVisitors)
    .innerJoin(scenarios, eq(scenarios.id, scenarioVisitors.scenarioId))
    .leftJoinLateral(latest, sql`true`)
    .where(sql`${scenarioVisitors.id} = any(${sql.param([...new Set(ids)])}::text[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
