/** @module The life of a run, whatever its kind: launched with its job, taken up, ended exactly once. The states are drawn in README.md. */
import { ApiError, type OrganizationId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import type { JobCall, JobDefinition } from "../../core/jobs/define.ts";
import { type HoldForLaunch, releaseHold } from "../../models/budget.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { organizationOf } from "../../people/projects/store.ts";
import { type Ending, isOpen, type RunHead, type RunKind } from "./kind.ts";
import * as store from "./store.ts";

export interface Launch<Values, Input> {
  values: Omit<Values, "status" | "jobId">;
  job: JobDefinition<Input>;
  input: Input;
  /** What belongs to the run and must be there before its job. */
  prepare?(tx: Transaction): Promise<void>;
  /** What it may cost, set aside in the same transaction: a launch that fails has taken nothing. */
  estimate?: { hold: HoldForLaunch; usd: number | null };
}

/** Makes the run and its job, both or neither. Undefined when a unique key of the run is taken. */
export async function launchRun<Row extends RunHead, Values extends { id: string }, Own, Input>(
  app: App,
  tx: Transaction,
  kind: RunKind<Row, Values, Own>,
  { values, job, input, prepare, estimate }: Launch<Values, Input>,
): Promise<Row | undefined> {
  const made = await store.insertRun(tx, kind, { ...values, status: kind.open.waiting });
  if (!made) return undefined;
  await prepare?.(tx);
  const { id: jobId } = await app.jobs.enqueue(job, input, { singletonKey: made.id, inTransaction: tx });
  const row = await store.updateOpenRun(tx, kind, made.id, { jobId });
  await announceInProject(app, tx, made.projectId, kind.part);
  if (estimate) await estimate.hold(tx, sourceOf(kind, made), estimate.usd);
  return row;
}

/** As what its calls of models are paid for. */
export function sourceOf(
  { name, spendsAs }: Pick<RunKind, "name" | "spendsAs">,
  { id }: Pick<RunHead, "id">,
) {
  if (spendsAs === undefined) throw new Error(`runs of ${name} spend nothing`);
  return { kind: spendsAs, id };
}

/** In its job: the run is under way, for the first time or again. Undefined when it has ended. */
export async function takeUpRun<Row extends RunHead, Values extends object, Own>(
  { app, requireLease }: Pick<JobCall<unknown>, "app" | "requireLease">,
  kind: RunKind<Row, Values, Own>,
  id: string,
  change: (run: Row, tx: Transaction) => Partial<Values> | Promise<Partial<Values>> = () => ({}),
): Promise<Row | undefined> {
  return app.db.transaction(async (tx) => {
    await requireLease(tx);
    const open = await store.lockRun(tx, kind, id);
    if (!open || !isOpen(kind, open)) return undefined;
    const { running: status } = kind.open;
    const row = await store.updateOpenRun(tx, kind, id, { status, ...(await change(open, tx)) });
    await announceInProject(app, tx, open.projectId, kind.part);
    return row;
  });
}

/** Of many who end a run at once, one does. Undefined when it had ended before, or is not over yet. */
export async function endRun<Row extends RunHead, Values extends object, Own>(
  app: App,
  tx: Transaction,
  kind: RunKind<Row, Values, Own>,
  { id }: Pick<RunHead, "id">,
  ending: Ending<Own>,
): Promise<Row | undefined> {
  const open = await store.lockRun(tx, kind, id);
  if (!open || !isOpen(kind, open)) return undefined;
  const change = await kind.verdict(app, tx, open, ending);
  const row = change && (await store.updateOpenRun(tx, kind, id, change));
  if (!row) return undefined;
  await kind.ended?.(app, tx, row, ending);
  await announceInProject(app, tx, row.projectId, kind.part);
  // Last: every call of the organization waits for it.
  if (kind.spendsAs !== undefined) {
    const organizationId: OrganizationId = await organizationOf(tx, row);
    await releaseHold(tx, organizationId, sourceOf(kind, row));
  }
  return row;
}

/** The end of a run and of its job in one: both are committed, or neither. */
export async function finishRun<Row extends RunHead, Values extends object, Own>(
  { app, finish }: Pick<JobCall<unknown>, "app" | "finish">,
  kind: RunKind<Row, Values, Own>,
  run: Pick<RunHead, "id">,
  ending: Ending<Own>,
): Promise<void> {
  await finish(async (tx) => {
    await endRun(app, tx, kind, run, ending);
  });
}

/** Ends the run at once and tells its job to let go, which then changes nothing any more. `isNew`: this call ended it. */
export async function cancelRun<Row extends RunHead, Values extends object, Own>(
  app: App,
  kind: RunKind<Row, Values, Own>,
  run: NoInfer<Row>,
): Promise<{ run: Row; isNew: boolean }> {
  const ended = await app.db.transaction((tx) => endRun(app, tx, kind, run, { end: "canceled" }));
  if (ended) {
    await stopJob(app, ended);
    return { run: ended, isNew: true };
  }
  const now = (await store.findRun(app.db, kind, run.id)) ?? run;
  if (kind.isCanceled?.(now)) return { run: now, isNew: false };
  throw kind.refusal?.(now) ?? hasEnded(now);
}

function hasEnded({ status }: RunHead): ApiError {
  return new ApiError("CONFLICT", `The run has ended: it is ${status}.`, { code: "RUN_ENDED", status });
}

/** After the run's end is committed. */
export async function stopJob(app: App, { jobId }: Pick<RunHead, "jobId">): Promise<void> {
  if (jobId) await app.jobs.cancel(jobId);
}
