/** @module Runs made elsewhere: started, reported suite by suite, kept alive, finished; or all at once. */

import { ApiError, type ConformanceRunId, type ProjectId, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { maskUrl } from "@fettle/contract/secrets";
import type {
  ConformanceIngestFinished,
  ConformanceIngestReport,
  ConformanceIngestStart,
  ConformanceIngestStarted,
  ConformanceIngestWhole,
  ConformanceSuite,
} from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { endRun } from "../../runs/life/life.ts";
import { insertRun, updateOpenRun } from "../../runs/life/store.ts";
import { findServer } from "../saved/store.ts";
import { conformanceRunKind } from "./kind.ts";
import { pageOfRun } from "./page-of-run.ts";
import { endIfNothingIsToCome } from "./refused-report.ts";
import { requireOpen, saveReport } from "./save-report.ts";
import * as store from "./store.ts";

/** Who reports, where to, and by which address they know us. */
export interface Reporter {
  app: App;
  projectId: ProjectId;
  userId: UserId;
  origin: string;
}

export async function startRun(
  by: Reporter,
  body: ConformanceIngestStart,
): Promise<ConformanceIngestStarted & { runId: ConformanceRunId }> {
  const { run, reused } = await by.app.db.transaction((tx) => begin(by, tx, body));
  return { ...told(by, run), reused };
}

export async function addReport(
  { app, projectId }: Reporter,
  { runId, suiteKind, report, durationMs }: ConformanceIngestReport,
): Promise<{ ok: true }> {
  await app.db.transaction(async (tx) => {
    const run = await requireReported(tx, projectId, runId);
    await saveReport(app, tx, run, { suiteKind, report, durationMs });
    await endIfNothingIsToCome({ app, projectId }, tx, runId);
  });
  return { ok: true };
}

export async function heartbeat(
  { app, projectId }: Reporter,
  runId: ConformanceRunId,
): Promise<{ ok: true }> {
  await app.db.transaction(async (tx) => {
    requireOpen(await requireReported(tx, projectId, runId));
    await updateOpenRun(tx, conformanceRunKind, runId, { heartbeatAt: new Date(app.now()) });
  });
  return { ok: true };
}

/** Finishing a finished run answers the same again. */
export async function finishRun(by: Reporter, runId: ConformanceRunId): Promise<ConformanceIngestFinished> {
  const run = await by.app.db.transaction(async (tx) => {
    const row = await requireReported(tx, by.projectId, runId);
    return finish(by, tx, row);
  });
  return finished(by, run);
}

/** The same name with the same reports answers the same again. */
export async function reportRun(
  by: Reporter,
  body: ConformanceIngestWhole,
): Promise<ConformanceIngestFinished> {
  const { schemaVersion: _version, reports, outcome: _outcome, score: _score, durationMs, ...start } = body;
  const run = await by.app.db.transaction(async (tx) => {
    const begun = await begin(by, tx, start);
    const row = (await store.lockRun(tx, by.projectId, begun.run.id)) ?? begun.run;
    for (const [kind, report] of Object.entries(reports)) {
      await saveReport(by.app, tx, row, { suiteKind: kind as ConformanceSuite, report });
    }
    return finish(by, tx, row, durationMs);
  });
  return finished(by, run);
}

async function finish(
  { app }: Reporter,
  tx: Transaction,
  run: store.RunRow,
  durationMs?: number,
): Promise<store.RunRow> {
  if (run.status === "completed") return run;
  requireOpen(run);
  return (await endRun(app, tx, conformanceRunKind, run, { end: "completed", durationMs })) ?? run;
}

async function begin(
  { app, projectId, userId }: Reporter,
  tx: Transaction,
  body: ConformanceIngestStart,
): Promise<{ run: store.RunRow; reused: boolean }> {
  const { target, externalRunId } = body;
  const { serverId, serverUrl, ...rest } = target;
  if (serverId !== undefined && !(await findServer(tx, projectId, serverId))) {
    throw new ApiError("VALIDATION_ERROR", "There is no such saved server in this project.", {
      path: "body.target.serverId",
      code: "UNKNOWN_SERVER",
    });
  }
  const startHash = digestOf({ target, suites: body.requestedSuites.toSorted() });
  const now = new Date(app.now());
  const made = await insertRun(tx, conformanceRunKind, {
    id: newId("conformanceRun", app.now()),
    projectId,
    serverId: serverId ?? null,
    target: { ...rest, ...(serverUrl !== undefined && { serverUrl: maskUrl(serverUrl) }) },
    source: body.source,
    verification: "reported",
    status: "running",
    requestedSuites: body.requestedSuites,
    protocolVersion: body.protocolVersion ?? null,
    engineVersion: body.engineVersion ?? null,
    actorLabel: body.actorLabel ?? null,
    ci: body.ci ?? null,
    externalRunId: externalRunId ?? null,
    startHash,
    createdBy: userId,
    createdAt: now,
    heartbeatAt: now,
  });
  if (made) {
    await announceInProject(app, tx, projectId, "conformance-runs");
    return { run: made, reused: false };
  }
  // Only the run's own name can have been in the way.
  const held = stillThere(
    await store.findByExternalId(tx, projectId, must(externalRunId, "the name that was in the way")),
  );
  if (held.startHash === startHash) return { run: held, reused: true };
  throw new ApiError("CONFLICT", "Another run, of another server or other suites, has this name.", {
    code: "EXTERNAL_RUN_CONFLICT",
    externalRunId,
    runId: held.id,
  });
}

/** What the service runs itself is not reported on by others. */
async function requireReported(
  tx: Transaction,
  projectId: ProjectId,
  runId: ConformanceRunId,
): Promise<store.RunRow> {
  const run = await store.lockRun(tx, projectId, runId);
  if (!run) throw notFound("conformanceRun");
  if (run.verification === "reported") return run;
  throw new ApiError("CONFLICT", "The service makes this run itself.", { code: "HOSTED_RUN" });
}

function told({ projectId, origin }: Reporter, run: store.RunRow) {
  return { ok: true as const, runId: run.id, projectId, runUrl: pageOfRun(origin, run) };
}

function finished(by: Reporter, run: store.RunRow): ConformanceIngestFinished {
  const outcome = must(run.outcome, "the outcome of a finished run");
  const { score } = must(run.tally, "the counts of a finished run");
  return { ...told(by, run), outcome, score };
}
