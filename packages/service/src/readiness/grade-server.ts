/** @module The job of a readiness run: looks at the saved server as its starter reaches it, and grades what was seen. A server that does not answer is incomplete, never a failure. */
import {
  gatherEvidence,
  gradeReadiness,
  observeReadiness,
  type ReadinessReport,
  type ServerEvidence,
  unreachedServer,
  wantedBy,
} from "@fettle/checks";
import { ApiError, idOf, type OrganizationId, readinessLimits } from "@fettle/contract";
import { isMcpError, redactKnowing } from "@fettle/mcp";
import { z } from "zod";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import { defineJob } from "../jobs/define.ts";
import { type HttpReach, reachOverHttp } from "../live/reach.ts";
import { findSavedServer, type SavedServer } from "../live/store.ts";
import { version } from "../version.ts";
import { endCancelled, endFailed, isEnded } from "./end.ts";
import { withObservations } from "./model-observations.ts";
import * as store from "./store.ts";

export const gradeServerJob = defineJob({
  name: "readiness.grade",
  input: z.object({
    projectId: idOf<"project">(),
    runId: idOf<"readinessRun">(),
    serverId: idOf<"server">(),
    userId: idOf<"user">(),
    /** Who pays, where a model looks too. */
    organizationId: idOf<"organization">(),
  }),
  retry: { attempts: 3, delayMs: 2_000 },
  timeoutMs: readinessLimits.runMs,
  run: async ({ app, input, claim, signal, finish, requireLease }) => {
    const { projectId, runId, serverId, userId, organizationId } = input;
    const begun = await store.findRun(app.db, projectId, runId);
    if (!begun || isEnded(begun)) return;
    await app.db.transaction(async (tx) => {
      await requireLease(tx);
      const now = new Date(app.now());
      await store.updateOpenRun(tx, runId, { status: "running", attemptCount: claim, updatedAt: now });
      await announceInProject(app, tx, projectId, "readiness-runs");
    });
    try {
      const server = await findSavedServer(app.db, { projectId, id: serverId, userId });
      if (!server) {
        const message = "The server was deleted.";
        return await finish((tx) => endFailed(app, tx, begun, { reason: "server_deleted", message }));
      }
      const graded = await gradeServer(app, server, { ...begun, organizationId }, signal);
      await finish(async (tx) => {
        const { report, observations } = graded;
        await store.updateOpenRun(tx, runId, {
          status: "completed",
          terminalReason: "graded",
          overallStatus: report.overallStatus,
          lanes: report.lanes,
          stages: report.stages,
          authMode: report.authMode,
          capabilities: report.capabilities,
          policySnapshotDate: report.policySnapshotDate,
          engineVersion: report.engineVersion,
          llmObservations: observations,
          report: JSON.stringify(report),
          updatedAt: new Date(app.now()),
        });
        await announceInProject(app, tx, projectId, "readiness-runs");
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      const row = await store.findRun(app.db, projectId, runId);
      // Whoever asked sees the end as soon as the worker lets go.
      if (row?.cancelRequestedAt) await app.db.transaction((tx) => endCancelled(app, tx, row));
      throw error;
    }
  },
});

async function gradeServer(
  app: App,
  server: SavedServer,
  run: store.RunRow & { organizationId: OrganizationId },
  signal: AbortSignal,
) {
  const { readinessKind: kind, submissionMode } = run;
  const reach = await reachOverHttp(app, server);
  const { target, secrets } = reach;
  const seen = await look(reach, kind, signal);
  const given = submissionMode === null ? {} : { submissionMode };
  const graded: ReadinessReport = gradeReadiness(kind, gatherEvidence(given, { target, server: seen }), {
    evaluatedAt: new Date(app.now()).toISOString(),
    engineVersion: version,
  });
  const report = redactKnowing(graded, secrets);
  return run.includeLlmObservations
    ? withObservations(app, run, seen, report, signal)
    : { report, observations: run.llmObservations };
}

async function look(
  { target, timeoutMs, options: { policy, authorize } }: HttpReach,
  kind: store.RunRow["readinessKind"],
  signal: AbortSignal,
): Promise<ServerEvidence> {
  try {
    return await observeReadiness(target, {
      timeoutMs,
      signal,
      policy,
      authorize,
      clientInfo: { name: "fettle", version },
      ...wantedBy(kind),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (isMcpError(error) || error instanceof ApiError) return unreachedServer(target.url, error.message);
    throw error;
  }
}
