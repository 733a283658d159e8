/** @module The SQL of waivers. */
import type { EvalRunId, GateWaiverId } from "@fettle/contract/core";
import type { GateWaiver } from "@fettle/contract/evals";
import { and, desc, eq, gt, inArray } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { users } from "../../core/tables/accounts.ts";
import { evalGateWaivers, unrevokedWaiver } from "../../core/tables/eval-runs.ts";

export type WaiverRow = typeof evalGateWaivers.$inferSelect & { createdByEmail: string | null };

async function select(db: Querier, ...conditions: Parameters<typeof and>): Promise<WaiverRow[]> {
  const rows = await db
    .select({ waiver: evalGateWaivers, createdByEmail: users.email })
    .from(evalGateWaivers)
    .leftJoin(users, eq(users.id, evalGateWaivers.createdBy))
    .where(and(...conditions))
    .orderBy(desc(evalGateWaivers.createdAt));
  return rows.map(({ waiver, createdByEmail }) => ({ ...waiver, createdByEmail }));
}

/** Those that hold at this moment; no job ends one, its time does. */
export async function listInForce(
  db: Querier,
  runIds: readonly EvalRunId[],
  now: number,
): Promise<Map<EvalRunId, WaiverRow>> {
  if (runIds.length === 0) return new Map();
  const rows = await select(
    db,
    inArray(evalGateWaivers.runId, [...runIds]),
    unrevokedWaiver,
    gt(evalGateWaivers.expiresAt, new Date(now)),
  );
  return new Map(rows.map((row) => [row.runId, row]));
}

export async function findWaiver(
  db: Querier,
  runId: EvalRunId,
  id: GateWaiverId,
): Promise<WaiverRow | undefined> {
  const [row] = await select(db, eq(evalGateWaivers.id, id), eq(evalGateWaivers.runId, runId));
  return row;
}

export async function insertWaiver(db: Querier, values: typeof evalGateWaivers.$inferInsert): Promise<void> {
  await db.insert(evalGateWaivers).values(values);
}

/** False: it was revoked before, and the first revocation stands. */
export async function revokeWaiver(
  db: Querier,
  id: GateWaiverId,
  by: Pick<WaiverRow, "revokedAt" | "revokedBy">,
): Promise<boolean> {
  const { rowCount } = await db
    .update(evalGateWaivers)
    .set(by)
    .where(and(eq(evalGateWaivers.id, id), unrevokedWaiver));
  return rowCount === 1;
}

export function toWaiver(row: WaiverRow, now: number): GateWaiver {
  return {
    id: row.id,
    suiteId: row.suiteId,
    runId: row.runId,
    reason: row.reason,
    expiresAt: row.expiresAt.getTime(),
    createdAt: row.createdAt.getTime(),
    createdBy: row.createdBy,
    createdByEmail: row.createdByEmail,
    revokedAt: row.revokedAt?.getTime() ?? null,
    revokedBy: row.revokedBy,
    active: row.revokedAt === null && now < row.expiresAt.getTime(),
    policySnapshot: row.policySnapshot,
  };
}
