/** @module Runs that were made elsewhere: begun, filled and finished by whoever made them. The same report is the same run, whatever is sent twice. */

import { ApiError, type EvalRunId, limits, type ProjectId } from "@fettle/contract/core";
import type {
  EvalIngestDropped,
  EvalIngestReport,
  EvalIngestResult,
  EvalIngestStart,
} from "@fettle/contract/evals";
import { redact } from "@fettle/contract/secrets";
import { digestOf } from "@fettle/evals";
import { and, desc, eq } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import { missing } from "../../core/routing/not-found.ts";
import { evalSuites } from "../../core/tables/eval-suites.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { endRun } from "../../runs/life/life.ts";
import { lockRun, updateOpenRun } from "../../runs/life/store.ts";
import { evalRunKind } from "../runs/kind.ts";
import { pageOfRun } from "../runs/run-view.ts";
import * as runs from "../runs/store.ts";
import { insertSuite } from "../suites/store.ts";
import { usualSettings } from "../suites/suite-view.ts";
import { dropUnreadable } from "./reported-trace.ts";
import { addResults, countReported } from "./results.ts";
import { snapshotOf } from "./snapshot.ts";

/** Who reports, and where runs are looked at. */
export interface Reporter {
  app: App;
  projectId: ProjectId;
  caller: SignedInCaller;
  origin: string;
}

export async function reportRun(reporter: Reporter, { results, ...begin }: EvalIngestReport) {
  const requestHash = digestOf({ ...begin, results });
  return reporter.app.db.transaction(async (tx) => {
    // Its results are in what is compared, so the same report is the same also when the first is finished.
    const { run } = await beginRun(reporter, tx, begin, { requestHash, isOpen: false });
    const { dropped } = await add(reporter, tx, run, results);
    const finished = await finish(reporter, tx, run, dropped?.length);
    return { ...told(reporter, finished), ...(dropped && { dropped }) };
  });
}

export async function startRun(reporter: Reporter, begin: EvalIngestStart) {
  return reporter.app.db.transaction(async (tx) => {
    const { run, reused } = await beginRun(reporter, tx, begin, {
      requestHash: digestOf(begin),
      isOpen: true,
    });
    return { ...told(reporter, run), reused };
  });
}

export async function addIterations(
  reporter: Reporter,
  { runId, results }: { runId: EvalRunId; results: readonly EvalIngestResult[] },
) {
  return reporter.app.db.transaction(async (tx) => {
    const run = await lockReported(reporter, tx, runId);
    return { ok: true as const, ...(await add(reporter, tx, run, results)) };
  });
}

export async function finalizeRun(
  reporter: Reporter,
  { runId, externalRunId }: { runId: EvalRunId; externalRunId?: string | undefined },
) {
  return reporter.app.db.transaction(async (tx) => {
    const run = await lockReported(reporter, tx, runId);
    if (externalRunId !== undefined && externalRunId !== run.externalRunId) {
      throw conflict("EXTERNAL_RUN_DIFFERS", "The run was begun under another externalRunId.");
    }
    return told(reporter, await finish(reporter, tx, run));
  });
}

/** Without an id of the reporter's, the same report within moments is the same: that is what a client that tries again sends. */
async function beginRun(
  reporter: Reporter,
  tx: Transaction,
  begin: EvalIngestStart,
  { requestHash, isOpen }: { requestHash: string; isOpen: boolean },
): Promise<{ run: runs.RunRow; reused: boolean }> {
  const { app, projectId, caller } = reporter;
  // One at a time for each suite's name: two reports must not both make the suite, or both the run.
  await holdNameLock(tx, `eval-ingest ${projectId} ${begin.suiteName}`);
  const { externalRunId, evaluationConfigHash = null } = begin;
  const known =
    externalRunId === undefined ? undefined : await runs.findByExternalId(tx, projectId, externalRunId);
  if (known) {
    if (known.evaluationConfigHash !== evaluationConfigHash || known.suiteName !== begin.suiteName) {
      const message = "This externalRunId was used for another suite, or with another evaluationConfigHash.";
      throw conflict("EXTERNAL_RUN_DIFFERS", message, { runId: known.id });
    }
    return { run: stillThere(await lockRun(tx, evalRunKind, known.id)), reused: true };
  }
  const suite = await ensureSuite(reporter, tx, begin);
  if (externalRunId === undefined) {
    const since = new Date(app.now() - limits.evals.sameLaunchMs);
    const asked = { suiteId: suite.id, requestHash, userId: caller.userId, since, isOpen };
    const same = await runs.findSameLaunch(tx, asked);
    if (same) return { run: stillThere(await lockRun(tx, evalRunKind, same.id)), reused: true };
  }
  const now = new Date(app.now());
  const id = newId("evalRun", app.now());
  const values: runs.RunValues = {
    id,
    projectId,
    suiteId: suite.id,
    runNumber: await runs.takeRunNumber(tx, suite),
    suiteName: begin.suiteName,
    status: "running",
    source: "sdk",
    notes: begin.notes ?? null,
    target: { kind: "servers", id: null, name: (begin.serverNames ?? []).join(", "), servers: [] },
    minimumPassRate: begin.passCriteria?.minimumPassRate ?? limits.evals.percent,
    planned: begin.expectedIterations ?? 0,
    expectedIterations: begin.expectedIterations ?? null,
    evaluationConfigHash,
    ci: begin.ci ?? null,
    commitSha: begin.ci?.commitSha ?? null,
    framework: begin.framework ?? "sdk",
    // Never null: what is reported takes no slot and is played by nobody.
    externalRunId: externalRunId ?? `reported as ${id}`,
    requestHash,
    surface: caller.kind === "key" ? "api" : caller.via,
    createdBy: caller.userId,
    apiKeyId: caller.kind === "key" ? caller.keyId : null,
    createdAt: now,
    startedAt: now,
  };
  const run = await runs.insertReported(tx, values, redact(begin) as EvalIngestStart);
  await announceInProject(app, tx, projectId, "eval-runs");
  return { run, reused: false };
}

const candidatesShown = 10;

/** Reports of one name are runs of one suite; a suite that people made here is left alone. */
async function ensureSuite({ app, projectId, caller }: Reporter, tx: Transaction, begin: EvalIngestStart) {
  const { suiteName: name, suiteDescription, tags = [], passCriteria } = begin;
  const isOurs = and(
    eq(evalSuites.projectId, projectId),
    eq(evalSuites.origin, "sdk"),
    eq(evalSuites.name, name),
  );
  const [known, ...others] = await tx
    .select({ id: evalSuites.id })
    .from(evalSuites)
    .where(isOurs)
    .orderBy(desc(evalSuites.createdAt))
    .limit(candidatesShown);
  // One was renamed: in which of them the report belongs, nobody can tell.
  if (others.length > 0) {
    throw conflict("AMBIGUOUS_NAME", `Several reported suites are called ${JSON.stringify(name)}.`, {
      path: "body.suiteName",
      candidateIds: [known, ...others].flatMap((one) => one?.id ?? []),
      hint: "Rename all but one, or report under another name.",
    });
  }
  if (known) return known;
  const id = newId("evalSuite", app.now());
  const now = new Date(app.now());
  await insertSuite(tx, {
    id,
    projectId,
    name,
    description: suiteDescription || null,
    origin: "sdk",
    tags,
    settings: { ...usualSettings, minimumAccuracy: passCriteria?.minimumPassRate ?? null },
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  });
  await announceInProject(app, tx, projectId, "eval-suites");
  return { id };
}

async function lockReported({ projectId }: Reporter, tx: Transaction, runId: EvalRunId) {
  const run = await lockRun(tx, evalRunKind, runId);
  if (!run || run.projectId !== projectId || run.externalRunId === null) {
    throw missing(
      "No run that is being reported has this id here.",
      "Use the run id that starting the run was answered with.",
      {
        path: "body.runId",
      },
    );
  }
  return run;
}

/** What is there already is skipped. To a run that has ended nothing new is added. */
async function add(
  { app }: Reporter,
  tx: Transaction,
  run: runs.RunRow,
  results: readonly EvalIngestResult[],
): Promise<{ inserted: number; skipped: number; total: number; dropped?: EvalIngestDropped[] }> {
  const before = await countReported(tx, run.id);
  const { readable, dropped } = dropUnreadable(results);
  const inserted = await addResults(tx, run, readable, before, new Date(app.now()));
  if (inserted > 0 && !runs.isOpen(run)) {
    // Thrown, so that what was just written is taken back.
    throw conflict("RUN_ENDED", `The run has ended: it is ${run.status}.`, { status: run.status });
  }
  const total = before + inserted;
  if (total > limits.ingest.resultsPerRun) {
    throw conflict("TOO_MANY_RESULTS", `A reported run has at most ${limits.ingest.resultsPerRun} results.`);
  }
  if (inserted > 0) {
    await updateOpenRun(tx, evalRunKind, run.id, { planned: Math.max(total, run.expectedIterations ?? 0) });
    await announceInProject(app, tx, run.projectId, "eval-runs");
  }
  return {
    inserted,
    skipped: readable.length - inserted,
    total,
    ...(dropped.length > 0 && { dropped }),
  };
}

/** Once more changes nothing. A run that was to have more than came shows nothing for sure. */
async function finish(
  { app }: Reporter,
  tx: Transaction,
  run: runs.RunRow,
  dropped = 0,
): Promise<runs.RunRow> {
  if (!runs.isOpen(run)) return run;
  await runs.insertSnapshot(tx, run.id, await snapshotOf(tx, run));
  const reported = await countReported(tx, run.id);
  const expected = Math.max(run.expectedIterations ?? 0, reported + dropped);
  const missing = expected - reported;
  const unread = dropped === 0 ? "" : ` ${dropped} could not be read.`;
  const incomplete = {
    result: "inconclusive" as const,
    reasons: ["configuredTrialsNotAttempted"],
    error: `${missing} of ${expected} results are missing.${unread}`,
  };
  const ending = { end: "completed", told: missing > 0 ? incomplete : {} } as const;
  return (await endRun(app, tx, evalRunKind, run, ending)) ?? run;
}

function told({ origin }: Reporter, run: runs.RunRow) {
  return {
    ok: true as const,
    suiteId: run.suiteId,
    runId: run.id,
    projectId: run.projectId,
    status: run.status,
    result: run.result,
    summary: run.summary,
    viewUrl: pageOfRun(origin, run),
  };
}

function conflict(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("CONFLICT", message, { code, reason: code, ...details });
}
