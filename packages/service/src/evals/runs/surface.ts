/** @module What the servers offered when a run began: kept once for each content, and held against what they offered the run before. */
import type { EvalRunId } from "@fettle/contract/core";
import type { EvalRunDetail } from "@fettle/contract/evals";
import type { ServerLink, TraceServer } from "@fettle/evals";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { evalRuns, evalRunTools, evalToolSnapshots, type ToolSnapshot } from "../../core/tables/eval-runs.ts";
import { keepSnapshot, snapshotOf } from "../../environments/targets/tool-snapshots.ts";
import type { RunRow } from "./store.ts";

export interface Surface {
  /** Null: there is no earlier run to compare with. */
  drift: EvalRunDetail["toolSurfaceDrift"];
  warnings: string[];
  /** Whether a repetition met other tools than the run began with. */
  isChanged(servers: readonly TraceServer[]): boolean;
}

/** What was captured by a worker before this one stands: the run began with it. */
export async function captureSurface(
  { db, now }: Pick<App, "db" | "now">,
  run: RunRow,
  links: readonly ServerLink[],
): Promise<Surface> {
  const live = new Map(links.map((link) => [link.name, snapshotOf(link)]));
  await db.transaction(async (tx) => {
    for (const { id, name } of run.target.servers) {
      const snapshot = live.get(name);
      if (!snapshot) continue;
      const hash = await keepSnapshot(tx, run.projectId, snapshot, new Date(now()));
      await tx
        .insert(evalRunTools)
        .values({ runId: run.id, serverId: id, serverName: name, hash })
        .onConflictDoNothing();
    }
  });
  const began = await readSnapshots(db, run, run.id);
  const earlier = await findEarlier(db, run);
  const before = earlier && (await readSnapshots(db, run, earlier));
  return {
    drift: before && before.size > 0 ? driftOf(before, began) : null,
    warnings: links.flatMap(({ name, truncated }) =>
      truncated ? [`The list of ${name}'s tools was cut short; not all are offered.`] : [],
    ),
    isChanged: (servers) =>
      servers.some(({ name, toolsHash }) => (began.get(name)?.toolsHash ?? toolsHash) !== toolsHash),
  };
}

/** The suite's run before this one that saw its servers. */
async function findEarlier(db: Querier, run: RunRow): Promise<EvalRunId | undefined> {
  const [row] = await db
    .select({ id: evalRuns.id })
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.suiteId, run.suiteId),
        lt(evalRuns.runNumber, run.runNumber),
        sql`exists (select 1 from ${evalRunTools} where ${evalRunTools.runId} = ${evalRuns.id})`,
      ),
    )
    .orderBy(desc(evalRuns.runNumber))
    .limit(1);
  return row?.id;
}

async function readSnapshots(
  db: Querier,
  { projectId }: Pick<RunRow, "projectId">,
  runId: EvalRunId,
): Promise<Map<string, ToolSnapshot>> {
  const rows = await db
    .select({ name: evalRunTools.serverName, snapshot: evalToolSnapshots.snapshot })
    .from(evalRunTools)
    .innerJoin(
      evalToolSnapshots,
      and(eq(evalToolSnapshots.projectId, projectId), eq(evalToolSnapshots.hash, evalRunTools.hash)),
    )
    .where(eq(evalRunTools.runId, runId));
  return new Map(rows.map(({ name, snapshot }) => [name, snapshot]));
}

/** Of the servers that both runs have: another choice of servers is no drift. */
function driftOf(
  before: ReadonlyMap<string, ToolSnapshot>,
  now: ReadonlyMap<string, ToolSnapshot>,
): NonNullable<Surface["drift"]> {
  const drift: NonNullable<Surface["drift"]> = { added: [], removed: [], changed: [] };
  for (const [server, { hashes }] of now) {
    const earlier = before.get(server)?.hashes;
    if (!earlier) continue;
    const told = (tool: string) => (now.size === 1 ? tool : `${server}/${tool}`);
    for (const [tool, hash] of Object.entries(hashes)) {
      if (!Object.hasOwn(earlier, tool)) drift.added.push(told(tool));
      else if (earlier[tool] !== hash) drift.changed.push(told(tool));
    }
    for (const tool of Object.keys(earlier)) if (!Object.hasOwn(hashes, tool)) drift.removed.push(told(tool));
  }
  return drift;
}
