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
import { ApiError, idOf, type OrganizationId } from "@fettle/contract/core";
import { readinessLimits } from "@fettle/contract/servers";
import { isMcpError, redactKnowing } from "@fettle/mcp";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { version } from "../../core/version.ts";
import { finishRun, takeUpRun } from "../../runs/life/life.ts";
import { type HttpReach, reachOverHttp } from "../live/reach.ts";
import { findSavedServer, type SavedServer } from "../live/store.ts";
import { readinessRunKind } from "./kind.ts";
import { withObservations } from "./model-observations.ts";
import type { RunRow } from "./store.ts";

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
  run: async (call) => {
    const { projectId, runId, serverId, userId, organizationId } = call.input;
    const { app, claim, signal } = call;
    const run = await takeUpRun(call, readinessRunKind, runId, () => ({
      attemptCount: claim,
      updatedAt: new Date(app.now()),
    }));
    if (!run) return;
    const server = await findSavedServer(app.db, { projectId, id: serverId, userId });
    if (!server) {
      const message = "The server was deleted.";
      return finishRun(call, readinessRunKind, run, { end: "failed", reason: "server_deleted", message });
    }
    const graded = await gradeServer(app, server, { ...run, organizationId }, signal);
    await finishRun(call, readinessRunKind, run, { end: "completed", ...graded });
  },
});

async function gradeServer(
  app: App,
  server: SavedServer,
  run: RunRow & { organizationId: OrganizationId },
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
  kind: RunRow["readinessKind"],
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
