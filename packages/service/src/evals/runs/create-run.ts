/** @module One launch, one run: a repetition of the same launch is told what has become of the first. */

import type { ServerId } from "@fettle/contract/core";
import type { EvalRunCreated, EvalRunCreateRequest } from "@fettle/contract/evals";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { requireSameRequest } from "../../core/idempotency/idempotency.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { holderOf } from "../../models/budget.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { changeSuite, lockSuite } from "../suites/store.ts";
import type { SuiteRow } from "./frozen.ts";
import {
  draftRun,
  insertLaunched,
  type Launcher,
  requestHashOf,
  requireAffordable,
  takeSlot,
  type Wanted,
} from "./launch.ts";
import { holdForRun } from "./launch-cost.ts";
import { environmentOf, modelOf, pageOfRun } from "./run-view.ts";
import { findSameRun } from "./same-launch.ts";
import * as store from "./store.ts";

/** What makes a repetition of a launch one. */
export interface Sameness {
  idempotencyScope: string | null;
  /** Of what was asked for, where that is not the body itself. */
  requestHash?: string;
}

export async function createRun(
  launcher: Launcher,
  suite: SuiteRow,
  body: EvalRunCreateRequest,
  { idempotencyScope, requestHash = requestHashOf(body) }: Sameness,
  origin: string,
): Promise<EvalRunCreated> {
  const { environmentId, namedHostId, serverIds } = body;
  const wanted: Wanted = {
    suite,
    knobs: body,
    target: { environmentId, namedHostId, serverIds },
    groupLabel: body.runGroupId,
    idempotencyScope,
    requestHash,
    modelApiKeys: body.modelApiKeys,
  };
  const before = await findByKey(launcher.app.db, wanted);
  if (before) return receipt(before, true, origin);
  const draft = await draftRun(launcher, wanted);
  requireAffordable([draft], launcher.app.config.evals.modelTurnsPerLaunch);
  const { app, project } = launcher;
  const hold = await holderOf(app, project.organizationId);
  const { run, deduped } = await app.db.transaction(async (tx) => {
    const held = await lockSuite(tx, suite.id);
    if (!held) throw notFound("evalSuite");
    const other =
      idempotencyScope === null
        ? await findSameRun(tx, launcher, wanted, draft.frozen)
        : await findByKey(tx, wanted);
    if (other) return { run: other, deduped: true };
    await takeSlot(launcher, tx);
    const made = await insertLaunched(launcher, tx, { ...wanted, suite: held }, draft);
    if (body.refreshSnapshot === true) await saveServers(launcher, tx, made);
    await holdForRun(hold, tx, draft);
    return { run: made, deduped: false };
  });
  return receipt(run, deduped, origin);
}

/** What later runs of the suite go to. An environment or a client is resolved anew each time, so that there is nothing to save. */
async function saveServers({ app }: Launcher, tx: Transaction, { suiteId, projectId, target }: store.RunRow) {
  if (target.kind !== "servers") return;
  // Frozen from servers' rows.
  const serverIds = target.servers.map(({ id }) => id as ServerId);
  await changeSuite(tx, suiteId, { serverIds, updatedAt: new Date(app.now()) });
  await announceInProject(app, tx, projectId, "eval-suites");
}

/** The same for as long as the run exists. */
async function findByKey(
  db: Querier,
  { idempotencyScope, requestHash }: Wanted,
): Promise<store.RunRow | undefined> {
  if (idempotencyScope === null) return undefined;
  const run = await store.findByScope(db, idempotencyScope);
  requireSameRequest(run, requestHash, "launch", run && { runId: run.id });
  return run;
}

export function receipt(run: store.RunRow, deduped: boolean, origin: string): EvalRunCreated {
  return {
    runId: run.id,
    suiteId: run.suiteId,
    ...((run.groupId ?? run.groupLabel) !== null && { runGroupId: run.groupId ?? run.groupLabel ?? "" }),
    caseUpsert: { committed: [], failed: [] },
    status: run.status,
    ...(deduped && { deduped }),
    servers: run.target.servers,
    environment: environmentOf(run),
    model: modelOf(run),
    viewUrl: pageOfRun(origin, run),
  };
}
