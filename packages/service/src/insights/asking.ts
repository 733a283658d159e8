/** @module Asking for insights, and taking it back. The states are drawn in README.md. */
import { ApiError, type OrganizationId, type UserId } from "@fettle/contract/core";
import type { InsightScope } from "@fettle/contract/insights";
import { type InsightErrorCode, insightErrors, type ReasonCode, reasons } from "@fettle/insights";
import type { App } from "../core/app.ts";
import type { Transaction } from "../core/db/pool.ts";
import { dayOf } from "../models/budget.ts";
import { announceInProject } from "../people/accounts/announce.ts";
import { mineScopeJob } from "./mine-scope.ts";
import { type OpenScope, sourceOf } from "./source.ts";
import * as store from "./store.ts";

/** What is known of a scope without opening it. */
export type Asked = Pick<OpenScope, "projectId" | "organizationId" | "family"> & { scope: InsightScope };

/**
 * Mines a scope that has just become complete, free of charge, unless the operator has said otherwise. In the caller's
 * transaction, so that a scope that is complete has somebody who looks at it.
 */
export async function mineCompleted(app: App, tx: Transaction, asked: Asked): Promise<void> {
  if (app.config.insights.when !== "automatic") return;
  const row = await store.lockInsights(tx, asked.scope, asked, new Date(app.now()));
  await begin(app, tx, asked, row, { by: null, withModel: row.status === "pending" && row.withModel });
}

/** What is being made begins anew, because something that it may have read is gone. What the old one finds is worth nothing. */
export async function restartPending(app: App, tx: Transaction, asked: Asked): Promise<void> {
  const row = await store.findInsights(tx, asked.scope);
  if (row?.status !== "pending") return;
  await begin(app, tx, asked, row, { by: row.requestedBy, withModel: row.withModel });
}

async function begin(
  app: App,
  tx: Transaction,
  { scope, projectId, organizationId }: Asked,
  row: store.InsightsRow,
  { by, withModel }: { by: UserId | null; withModel: boolean },
): Promise<void> {
  const generation = row.generation + 1;
  const input = { projectId, organizationId, kind: scope.kind, scopeId: scope.id, generation };
  const { id: jobId } = await app.jobs.enqueue(mineScopeJob, input, { inTransaction: tx });
  await store.updateInsights(tx, scope, {
    scope,
    status: "pending",
    reasonCode: null,
    error: null,
    generation,
    withModel,
    jobId,
    requestedBy: by,
    updatedAt: new Date(app.now()),
  });
  await announceInProject(app, tx, projectId, sourceOf(app, scope.kind).part);
}

interface Asking {
  by: UserId;
  force: boolean;
  /** What a scope needs before it is looked at. True: there is something that was not there when it last was. */
  prepare?: (tx: Transaction) => Promise<boolean>;
}

/** Whoever asks while one is being made gets that one. */
export async function requestInsights(app: App, asked: Asked, { by, force, prepare }: Asking): Promise<void> {
  requireOn(app);
  await app.db.transaction(async (tx) => {
    const row = await store.lockInsights(tx, asked.scope, asked, new Date(app.now()));
    const isAtWork =
      row.status === "pending" && (await store.findInsights(tx, asked.scope))?.isAtWork === true;
    if (isAtWork && row.withModel) return;
    const isAnew = !isAtWork && ((await prepare?.(tx)) === true || store.isOutdated(row));
    refuse(row, isAtWork, force || isAnew);
    await refuseOverLedger(app, tx, asked.organizationId);
    // It began by itself; now somebody wants words, too.
    if (isAtWork) return store.updateInsights(tx, asked.scope, { withModel: true, requestedBy: by });
    await begin(app, tx, asked, row, { by, withModel: true });
  });
}

function requireOn(app: App): void {
  if (app.config.insights.when !== "off") return;
  throw new ApiError("FEATURE_NOT_SUPPORTED", "This deployment makes no insights.", {
    reason: "INSIGHTS_OFF",
  });
}

function refuse(row: store.InsightsRow, isAtWork: boolean, force: boolean): void {
  if (isAtWork || force) return;
  if (row.status === "completed" && row.reasonCode === "model_enriched") {
    throw new ApiError(
      "CONFLICT",
      "These insights are complete. Ask with force to have them written again.",
      {
        code: "INSIGHTS_COMPLETED",
      },
    );
  }
  if (row.status === "failed" && !isRetryable(row)) {
    throw new ApiError("CONFLICT", "Asking again would find the same. Ask with force if you know better.", {
      code: "INSIGHTS_NOT_RETRYABLE",
    });
  }
}

export function isRetryable({ error, reasonCode }: Pick<store.InsightsRow, "error" | "reasonCode">): boolean {
  const isOfInput = error !== null && Object.hasOwn(insightErrors, error.code) && !wouldHelp(error.code);
  return !isOfInput && (reasonCode === null || reasons[reasonCode]);
}

const wouldHelp = (code: string) =>
  Object.entries(insightErrors).some(([one, helps]) => one === code && helps);

/** Only words of a model are counted: without a model, asking costs nothing. */
async function refuseOverLedger(app: App, tx: Transaction, organizationId: OrganizationId): Promise<void> {
  const { model, perDay } = app.config.insights;
  if (model === undefined || perDay === null) return;
  const { day, resetsAt } = dayOf(app.now());
  if ((await store.readLedger(tx, organizationId, day)) < perDay) return;
  const retryAfter = Math.ceil((resetsAt - app.now()) / 1000);
  throw new ApiError(
    "RATE_LIMITED",
    "Today's summaries by a model are used up; what was found without one stays.",
    { ledger: "insightsPerDay", retryAfter },
    retryAfter,
  );
}

/** False when there was nothing to cancel. What was found before stays. */
export async function cancelInsights(app: App, asked: Pick<Asked, "scope" | "projectId">): Promise<boolean> {
  const jobId = await app.db.transaction(async (tx) => {
    const row = await store.findInsights(tx, asked.scope);
    if (row?.status !== "pending") return undefined;
    const reasonCode: ReasonCode = "canceled";
    const code: InsightErrorCode = "cancelled";
    const isCancelled = await store.updateGeneration(tx, asked.scope, row.generation, {
      status: "failed",
      error: { code, message: "Someone canceled this. Ask again to look for problems." },
      reasonCode,
      generation: row.generation + 1,
      jobId: null,
      updatedAt: new Date(app.now()),
    });
    if (!isCancelled) return undefined;
    await announceInProject(app, tx, asked.projectId, sourceOf(app, asked.scope.kind).part);
    return row.jobId;
  });
  if (jobId) await app.jobs.cancel(jobId);
  return jobId !== undefined;
}
