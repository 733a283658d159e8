/** @module One launch of several targets: one run each, one slot for all. What one target cannot do keeps no other from starting. */

import { ApiError, type EvalRunGroupId, limits } from "@fettle/contract/core";
import type { EvalRunGroupCreated, EvalRunGroupCreateRequest } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import { and, desc, eq, gt, inArray, isNull } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { requireSameRequest } from "../../core/idempotency/idempotency.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { clients } from "../../core/tables/clients.ts";
import { environments } from "../../core/tables/environments.ts";
import { evalRunGroups } from "../../core/tables/eval-runs.ts";
import { holderOf } from "../../models/budget.ts";
import { lockSuite } from "../suites/store.ts";
import type { SuiteRow } from "./frozen.ts";
import {
  type Draft,
  draftRun,
  insertLaunched,
  type Launcher,
  requestHashOf,
  requireAffordable,
  scopeOf,
  takeSlot,
  type Wanted,
} from "./launch.ts";
import { holdForRun } from "./launch-cost.ts";
import { viewRuns } from "./reads.ts";
import { environmentOf, modelOf, pageOfRun } from "./run-view.ts";
import { sameSince, wouldFreezeTheSame } from "./same-launch.ts";
import * as store from "./store.ts";

type Receipt = EvalRunGroupCreated;
type ToldTarget = Receipt["targets"][number];
type GroupRow = typeof evalRunGroups.$inferSelect;

export async function createRunGroup(
  launcher: Launcher,
  suite: SuiteRow,
  body: EvalRunGroupCreateRequest,
  key: string | undefined,
  origin: string,
): Promise<Receipt> {
  const { app } = launcher;
  const idempotencyScope = scopeOf(launcher, suite, key);
  const requestHash = requestHashOf(body);
  const asked = { launcher, suite, idempotencyScope, requestHash };
  const before = idempotencyScope === null ? undefined : await findAskedBefore(app.db, asked);
  if (before) return told(app, before);
  const groupId = newId("evalRunGroup", app.now());
  const wanted = body.targets.map((target): Wanted => {
    return { suite, knobs: body, target, groupId, idempotencyScope: null, requestHash };
  });
  // All of them before any starts: what is wrong with the launch itself starts nothing.
  const drafts: (Draft | ApiError)[] = [];
  for (const one of wanted) drafts.push(await draftRun(launcher, one).catch(ofTargetAlone));
  const good = drafts.flatMap((draft) => (draft instanceof ApiError ? [] : [draft]));
  requireAffordable(good, app.config.evals.modelTurnsPerLaunch);
  const names = await namesOf(app.db, body);
  const hold = await holderOf(app, launcher.project.organizationId);
  const row = await app.db.transaction(async (tx) => {
    const held = await lockSuite(tx, suite.id);
    if (!held) throw notFound("evalSuite");
    const other = await findAskedBefore(tx, asked);
    if (other && (idempotencyScope !== null || (await isSameGroup(tx, other, drafts))))
      return { ...other, isRepeated: true };
    await takeSlot(launcher, tx);
    const values = {
      id: groupId,
      projectId: suite.projectId,
      suiteId: suite.id,
      idempotencyScope,
      requestHash,
    };
    const createdAt = new Date(app.now());
    const empty = receiptOf(groupId, suite, []);
    // The runs refer to it.
    await tx
      .insert(evalRunGroups)
      .values({ ...values, receipt: empty, createdBy: launcher.by.userId, createdAt });
    const targets: ToldTarget[] = [];
    for (const [index, one] of wanted.entries()) {
      const target = { ...body.targets[index], name: names[index] ?? null };
      const draft = must(drafts[index], "a draft for each target");
      const started =
        draft instanceof ApiError
          ? draft
          : await inTransaction(tx, (own) =>
              insertLaunched(launcher, own, { ...one, suite: held }, draft),
            ).catch(ofTargetAlone);
      targets.push(
        started instanceof ApiError
          ? { target, status: "failed", error: { code: codeOf(started), message: started.message } }
          : { target, status: "started", ...launchedOf(started, origin) },
      );
    }
    const receipt = receiptOf(groupId, suite, targets);
    const [saved] = await tx
      .update(evalRunGroups)
      .set({ receipt })
      .where(eq(evalRunGroups.id, groupId))
      .returning();
    // For all that were started or for none.
    for (const draft of good) {
      if (targets.some(({ runId }) => runId === draft.runId)) await holdForRun(hold, tx, draft);
    }
    return { ...must(saved, "the group that was just saved"), isRepeated: false };
  });
  return row.isRepeated ? told(app, row) : row.receipt;
}

/** What only this target cannot do; anything else is wrong with the launch, and thrown. */
function ofTargetAlone(error: unknown): ApiError {
  const isOwn =
    error instanceof ApiError && (error.code === "CONFLICT" || error.details?.hostedModels !== undefined);
  if (isOwn) return error;
  throw error;
}

const codeOf = ({ code, details }: ApiError) => (typeof details?.code === "string" ? details.code : code);

function launchedOf(run: store.RunRow, origin: string): Omit<ToldTarget, "target" | "status"> {
  return {
    runId: run.id,
    runStatus: run.status,
    servers: run.target.servers,
    environment: environmentOf(run),
    model: modelOf(run),
    viewUrl: pageOfRun(origin, run),
  };
}

function receiptOf(runGroupId: EvalRunGroupId, { id }: SuiteRow, targets: ToldTarget[]): Receipt {
  const startedCount = targets.filter(({ status }) => status === "started").length;
  const failedCount = targets.length - startedCount;
  const outcome = startedCount === 0 ? "failed" : failedCount === 0 ? "started" : "partial";
  return { runGroupId, suiteId: id, outcome, startedCount, failedCount, targets };
}

async function namesOf(db: Querier, { targets }: EvalRunGroupCreateRequest): Promise<(string | null)[]> {
  const environmentIds = targets.flatMap(({ environmentId }) => environmentId ?? []);
  const clientIds = targets.flatMap(({ namedHostId }) => namedHostId ?? []);
  const named = new Map<string, string | null>();
  if (environmentIds.length > 0) {
    const { id, name } = environments;
    const rows = await db.select({ id, name }).from(environments).where(inArray(id, environmentIds));
    for (const row of rows) named.set(row.id, row.name);
  }
  if (clientIds.length > 0) {
    const { id, name } = clients;
    const rows = await db.select({ id, name }).from(clients).where(inArray(id, clientIds));
    for (const row of rows) named.set(row.id, row.name);
  }
  return targets.map(
    ({ environmentId, namedHostId }) => named.get(environmentId ?? namedHostId ?? "") ?? null,
  );
}

/** The group of the same key, or without one the newest of moments ago that asked for the same. */
async function findAskedBefore(
  db: Querier,
  {
    launcher,
    suite,
    idempotencyScope,
    requestHash,
  }: {
    launcher: Launcher;
    suite: SuiteRow;
    idempotencyScope: string | null;
    requestHash: string;
  },
): Promise<GroupRow | undefined> {
  const [row] = await db
    .select()
    .from(evalRunGroups)
    .where(
      idempotencyScope === null
        ? and(
            eq(evalRunGroups.suiteId, suite.id),
            eq(evalRunGroups.requestHash, requestHash),
            eq(evalRunGroups.createdBy, launcher.by.userId),
            isNull(evalRunGroups.idempotencyScope),
            gt(evalRunGroups.createdAt, sameSince(launcher)),
          )
        : eq(evalRunGroups.idempotencyScope, idempotencyScope),
    )
    .orderBy(desc(evalRunGroups.createdAt))
    .limit(1);
  requireSameRequest(row, requestHash, "launch", row && { runGroupId: row.id });
  return row;
}

/** Without a key: one of its runs has not ended, and every target would freeze what it froze, or be refused as it was. */
async function isSameGroup(
  tx: Transaction,
  { id, projectId, receipt }: GroupRow,
  drafts: readonly (Draft | ApiError)[],
): Promise<boolean> {
  const runs = await store.listRuns(tx, { projectId, runGroupId: id, limit: limits.evals.runGroupTargets });
  if (!runs.some(store.isOpen)) return false;
  for (const [index, draft] of drafts.entries()) {
    const run = runs.find((one) => one.id === receipt.targets[index]?.runId);
    const isSame =
      draft instanceof ApiError
        ? run === undefined
        : run !== undefined && (await wouldFreezeTheSame(tx, run, draft.frozen));
    if (!isSame) return false;
  }
  return true;
}

/** The receipt of before, with what has become of its runs. */
async function told(app: App, { receipt, projectId }: GroupRow): Promise<Receipt> {
  // The receipt was made from a group of this kind.
  const runGroupId = receipt.runGroupId as EvalRunGroupId;
  const runs = await store.listRuns(app.db, { projectId, runGroupId, limit: limits.evals.runGroupTargets });
  const statuses = new Map<string, store.RunRow["status"]>(runs.map(({ id, status }) => [id, status]));
  return {
    ...receipt,
    targets: receipt.targets.map((target) => {
      const runStatus = target.runId === undefined ? undefined : statuses.get(target.runId);
      return {
        ...target,
        ...(runStatus && { runStatus }),
        ...(target.runId !== undefined && { deduped: true }),
      };
    }),
  };
}

export async function findGroup(db: Querier, projectId: SuiteRow["projectId"], id: EvalRunGroupId) {
  const [row] = await db
    .select()
    .from(evalRunGroups)
    .where(and(eq(evalRunGroups.id, id), eq(evalRunGroups.projectId, projectId)));
  return row;
}

export async function readGroup(app: App, row: GroupRow, origin: string) {
  const asked = { projectId: row.projectId, runGroupId: row.id, limit: limits.evals.runGroupTargets };
  const runs = await store.listRuns(app.db, asked);
  return {
    runGroupId: row.id,
    suiteId: row.suiteId,
    createdAt: row.createdAt.getTime(),
    outcome: row.receipt.outcome,
    // In the order they were asked for.
    runs: await viewRuns(app, runs.toReversed(), origin),
  };
}
