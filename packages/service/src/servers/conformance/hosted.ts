/** @module Runs made here: a job goes through the suites on a saved server, and what cannot be reached is never called a failure. */
import { ApiError, idOf, limits, type ProjectId, type ServerId, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { ConformanceRunStartRequest, ConformanceSuite } from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { newId } from "../../core/id.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { finishRun, launchRun, takeUpRun } from "../../runs/life/life.ts";
import { updateOpenRun } from "../../runs/life/store.ts";
import { reachServer } from "../live/reach.ts";
import { findSavedServer, type SavedServer } from "../live/store.ts";
import { requireImage } from "../saved/server-image.ts";
import { isEnded } from "./ended.ts";
import { conformanceRunKind } from "./kind.ts";
import { chosenSuites, type Found, runSuite } from "./run-suite.ts";
import { fixturesOf } from "./run-view.ts";
import { saveReport } from "./save-report.ts";
import * as store from "./store.ts";

export const runSuitesJob = defineJob({
  name: "conformance.run",
  input: z.object({
    projectId: idOf<"project">(),
    runId: idOf<"conformanceRun">(),
    serverId: idOf<"server">(),
    userId: idOf<"user">(),
  }),
  retry: { attempts: 3, delayMs: 2_000 },
  timeoutMs: limits.conformance.hostedRunMs,
  run: async (call) => {
    const { app, input, signal, requireLease } = call;
    const { projectId, runId, serverId, userId } = input;
    const isOurs = await takeUpRun(call, conformanceRunKind, runId);
    const run = isOurs && (await store.findRun(app.db, projectId, runId));
    if (!run) return;
    const waiting = run.requestedSuites.filter(
      (kind) => !run.reports.some(({ suiteKind }) => suiteKind === kind),
    );
    for (const kind of waiting) {
      const found = await runOn(app, { projectId, serverId, userId }, kind, run, signal);
      await app.db.transaction(async (tx) => {
        await requireLease(tx);
        const row = await store.lockRun(tx, projectId, runId);
        if (!row || isEnded(row)) return;
        if (found.kind === "report")
          await saveReport(app, tx, row, { suiteKind: kind, report: found.report });
        else await store.noteFault(tx, runId, kind, found.why);
      });
    }
    await finishRun(call, conformanceRunKind, run, { end: "completed" });
  },
});

/** Read anew for each suite: a token may have been renewed by the one before. */
async function runOn(
  app: App,
  { projectId, serverId, userId }: { projectId: ProjectId; serverId: ServerId; userId: UserId },
  kind: ConformanceSuite,
  run: store.RunRow,
  signal: AbortSignal,
): Promise<Found> {
  const server = await findSavedServer(app.db, { projectId, id: serverId, userId });
  if (!server) return { kind: "fault", why: "The server was deleted." };
  return runSuite(kind, {
    reach: () => reachServer(app, server),
    protocolVersion: run.protocolVersion,
    fixtures: fixturesOf(run),
    signal,
    onProgress: tellProgress(app, run, kind),
  });
}

/** Tells pages how far it is, once a second at most: a suite decides dozens of checks in that time. */
function tellProgress(app: App, { id, projectId }: store.RunRow, suiteKind: ConformanceSuite) {
  let toldAt = 0;
  return ({ done, total }: { done: number; total: number }) => {
    if (app.now() - toldAt < 1_000) return;
    toldAt = app.now();
    const tell = app.db.transaction(async (tx) => {
      await updateOpenRun(tx, conformanceRunKind, id, { progress: { suiteKind, done, total } });
      await announceInProject(app, tx, projectId, "conformance-runs");
    });
    // Only a word on the way: the run does not depend on it.
    tell.catch((error: unknown) => app.log.warn("a run's progress could not be told", { error }));
  };
}

export async function startHostedRun(
  app: App,
  caller: { userId: UserId; kind: "key" | "session" | "schedule" },
  server: SavedServer,
  body: ConformanceRunStartRequest,
) {
  const requestedSuites = await requireRunnable(app, server, body.suites);
  const { idempotencyKey = null, protocolVersion = null, engineVersion = null, fixtures } = body;
  const startHash = digestOf({
    suites: requestedSuites.toSorted(),
    protocolVersion,
    ...(fixtures && { fixtures }),
  });
  const { id: serverId, projectId } = server;
  const answer = (run: store.RunRow, deduped: boolean) => ({
    runId: run.id,
    projectId,
    serverId,
    status: run.status,
    deduped,
    requestedSuites: run.requestedSuites,
  });
  const runId = newId("conformanceRun", app.now());
  const now = new Date(app.now());
  const values = {
    id: runId,
    projectId,
    serverId,
    target: { kind: "server" as const },
    source: caller.kind === "session" ? ("ui" as const) : ("api" as const),
    ...(caller.kind === "schedule" && { actorLabel: "schedule" }),
    verification: "hosted" as const,
    requestedSuites,
    protocolVersion,
    engineVersion,
    fixtures: fixtures ? JSON.stringify(fixtures) : null,
    startHash,
    idempotencyKey,
    createdBy: caller.userId,
    createdAt: now,
    heartbeatAt: now,
  };
  const input = { projectId, runId, serverId, userId: caller.userId };
  const made = await app.db.transaction((tx) =>
    launchRun(app, tx, conformanceRunKind, { values, job: runSuitesJob, input }),
  );
  if (made) return answer(made, false);
  // Only the key can have been in the way.
  const held = stillThere(
    await store.findByIdempotencyKey(app.db, serverId, must(idempotencyKey, "the key that was in the way")),
  );
  if (held.startHash === startHash) return answer(held, true);
  throw new ApiError("CONFLICT", "This key started a run of other suites.", {
    code: "IDEMPOTENCY_CONFLICT",
    runId: held.id,
  });
}

export async function requireRunnable(
  app: App,
  server: SavedServer,
  asked: readonly ConformanceSuite[] | undefined,
): Promise<ConformanceSuite[]> {
  if (server.transportType === "stdio") await requireImage(app, server);
  return chosenSuites(asked);
}
