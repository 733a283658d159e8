/** @module One launch, one run: a repetition of the same launch is told what has become of the first. */
import { ApiError, type EvalRunCreated, type EvalRunCreateRequest, limits } from "@fettle/contract";
import { lockSuite } from "../eval-suites/store.ts";
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
import { environmentOf, pageOfRun } from "./run-view.ts";
import * as store from "./store.ts";

export async function createRun(
  launcher: Launcher,
  suite: SuiteRow,
  body: EvalRunCreateRequest,
  /** What makes a repetition of it one. */
  idempotencyScope: string | null,
  origin: string,
): Promise<EvalRunCreated> {
  const { environmentId, namedHostId, serverIds } = body;
  const wanted: Wanted = {
    suite,
    knobs: body,
    target: { environmentId, namedHostId, serverIds },
    groupLabel: body.runGroupId,
    idempotencyScope,
    requestHash: requestHashOf(body),
    modelApiKeys: body.modelApiKeys,
  };
  const before = await findRepeated(launcher, launcher.app.db, wanted);
  if (before) return receipt(before, true, origin);
  const draft = await draftRun(launcher, wanted);
  requireAffordable([draft], launcher.app.config.evals.modelTurnsPerLaunch);
  const { run, deduped } = await launcher.app.db.transaction(async (tx) => {
    const held = await lockSuite(tx, suite.id);
    if (!held) throw new ApiError("NOT_FOUND", "There is no such suite in this project.");
    const other = await findRepeated(launcher, tx, wanted);
    if (other) return { run: other, deduped: true };
    await takeSlot(launcher, tx);
    return { run: await insertLaunched(launcher, tx, { ...wanted, suite: held }, draft), deduped: false };
  });
  return receipt(run, deduped, origin);
}

/** By its key for as long as the run exists; without one for a few moments, which is what a second click takes. */
async function findRepeated(
  { app, by }: Launcher,
  db: Parameters<typeof store.findByScope>[0],
  { suite, idempotencyScope, requestHash }: Wanted,
): Promise<store.RunRow | undefined> {
  if (idempotencyScope === null) {
    const since = new Date(app.now() - limits.evals.sameLaunchMs);
    return store.findSameLaunch(db, { suiteId: suite.id, requestHash, userId: by.userId, since });
  }
  const run = await store.findByScope(db, idempotencyScope);
  if (run && run.requestHash !== requestHash) {
    throw new ApiError("CONFLICT", "This idempotency key was used with another launch.", {
      code: "IDEMPOTENCY_KEY_REUSED",
      runId: run.id,
    });
  }
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
    viewUrl: pageOfRun(origin, run),
  };
}
