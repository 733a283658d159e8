/** @module Tells that a conformance run has ended, and whether a verdict has turned by it. */
import type { ServerId } from "@fettle/contract/core";
import type { ConformanceSuite } from "@fettle/contract/servers";
import { and, desc, eq, inArray, lt, ne, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { conformanceReports, conformanceRuns, type Tally } from "../../core/tables/conformance.ts";
import { servers } from "../../core/tables/servers.ts";
import { ownOrigin } from "../../people/accounts/origin.ts";
import { tell } from "../../runs/notices/tell.ts";
import { turnOf, verdicts } from "../../runs/notices/turn.ts";
import { pageOfRun } from "./page-of-run.ts";

async function namedServer(db: Querier, id: ServerId) {
  const [row] = await db
    .select({ id: servers.id, name: servers.name })
    .from(servers)
    .where(eq(servers.id, id));
  return row ?? null;
}

type ConformanceRow = typeof conformanceRuns.$inferSelect;

export async function tellConformanceEnded(
  app: App,
  tx: Transaction,
  run: ConformanceRow,
  { passed, failed, couldNotRun, score }: Tally,
): Promise<void> {
  const { id, projectId, status, outcome, serverId } = run;
  const suites = await tx
    .select({ suite: conformanceReports.suiteKind, tally: conformanceReports.tally })
    .from(conformanceReports)
    .where(eq(conformanceReports.runId, id));
  const data = {
    server: serverId && (await namedServer(tx, serverId)),
    run: {
      id,
      status,
      outcome,
      score,
      passed,
      failed,
      couldNotRun,
      suites: suites.map(({ suite, tally }) => ({ suite, outcome: tally.outcome })),
    },
    url: pageOfRun(ownOrigin(app.config), run),
  };
  await tell(app, tx, projectId, "conformance_run.ended", data);
  if (serverId === null || status !== "completed") return;
  const turned = [];
  for (const { suite, tally } of suites) {
    turned.push(...turnOf(suite, await lastVerdict(tx, { ...run, serverId }, suite), tally.outcome));
  }
  if (turned.length > 0)
    await tell(app, tx, projectId, "verdict.turned", { kind: "conformance", turned, ...data });
}

/** The suite's last verdict before this run, on the same server. */
async function lastVerdict(
  tx: Transaction,
  { id, serverId, createdAt }: ConformanceRow & { serverId: ServerId },
  suite: ConformanceSuite,
): Promise<string | undefined> {
  const verdict = sql<string>`${conformanceReports.tally}->>'outcome'`;
  const [before] = await tx
    .select({ verdict })
    .from(conformanceRuns)
    .innerJoin(
      conformanceReports,
      and(eq(conformanceReports.runId, conformanceRuns.id), eq(conformanceReports.suiteKind, suite)),
    )
    .where(
      and(
        eq(conformanceRuns.serverId, serverId),
        eq(conformanceRuns.status, "completed"),
        lt(conformanceRuns.createdAt, createdAt),
        ne(conformanceRuns.id, id),
        inArray(verdict, [...verdicts]),
      ),
    )
    .orderBy(desc(conformanceRuns.createdAt))
    .limit(1);
  return before?.verdict;
}
