/** @module Starts a readiness run of a saved server: the row and its job are made together, or neither. */
import {
  ApiError,
  hostedSubmissionModes,
  maskUrl,
  type OrganizationId,
  type ReadinessKind,
  type ReadinessObservations,
  type ReadinessRunReceipt,
  type SubmissionMode,
  type UserId,
} from "@fettle/contract";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import { newId } from "../id.ts";
import type { SavedServer } from "../live/store.ts";
import { openEndpoint } from "../servers/endpoint.ts";
import { gradeServerJob } from "./grade-server.ts";
import * as store from "./store.ts";

interface Wanted {
  kind: ReadinessKind;
  submissionMode?: SubmissionMode;
  idempotencyKey?: string | undefined;
  includeLlmObservations: boolean;
}

export async function startRun(
  app: App,
  { userId, organizationId }: { userId: UserId; organizationId: OrganizationId },
  server: SavedServer,
  wanted: Wanted,
): Promise<ReadinessRunReceipt> {
  const url = requireGradable(app, server, wanted);
  const { kind, submissionMode = null, idempotencyKey = null, includeLlmObservations } = wanted;
  const { id: serverId, projectId } = server;
  const answer = (run: store.RunRow, deduped: boolean): ReadinessRunReceipt => ({
    runId: run.id,
    projectId,
    serverId,
    readinessKind: kind,
    status: run.status,
    deduped,
    includeLlmObservations: run.includeLlmObservations,
  });
  const made = await app.db.transaction(async (tx) => {
    const id = newId("readinessRun", app.now());
    const now = new Date(app.now());
    const row = await store.insertRun(tx, {
      id,
      projectId,
      serverId,
      serverUrl: maskUrl(url),
      readinessKind: kind,
      submissionMode,
      status: "pending",
      includeLlmObservations,
      llmObservations: includeLlmObservations ? { status: "pending" } : notRequested,
      idempotencyKey,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    if (!row) return undefined;
    const input = { projectId, runId: id, serverId, userId, organizationId };
    const job = await app.jobs.enqueue(gradeServerJob, input, { singletonKey: id, inTransaction: tx });
    await store.updateOpenRun(tx, id, { jobId: job.id });
    await announceInProject(app, tx, projectId, "readiness-runs");
    return row;
  });
  if (made) return answer(made, false);
  // Only the key can have been in the way.
  const held = (await store.findByIdempotencyKey(app.db, { serverId, kind, userId, key: idempotencyKey! }))!;
  const isSame =
    held.submissionMode === submissionMode && held.includeLlmObservations === includeLlmObservations;
  if (isSame) return answer(held, true);
  throw new ApiError("CONFLICT", "This key started a run of something else.", {
    code: "IDEMPOTENCY_CONFLICT",
    runId: held.id,
  });
}

const notRequested: ReadinessObservations = { status: "not-requested", reason: "not_requested" };

/** The address, where the service can grade what is asked for. */
function requireGradable(app: App, server: SavedServer, wanted: Wanted): string {
  const { submissionMode, includeLlmObservations } = wanted;
  if (submissionMode && !hostedSubmissionModes.some((mode) => mode === submissionMode)) {
    throw new ApiError(
      "VALIDATION_ERROR",
      `${submissionMode} submits a package, and none is uploaded here.`,
      {
        path: "body.submissionMode",
        code: "PACKAGE_NOT_HOSTED",
        hint: `Run \`fettle readiness check openai --submission-mode ${submissionMode} --package …\` where the package is.`,
      },
    );
  }
  const { url } = openEndpoint(app.vault, server);
  if (server.transportType === "stdio" || url === undefined) {
    throw new ApiError("VALIDATION_ERROR", "A directory lists servers that are reached over HTTP.", {
      code: "STDIO_SERVER",
      hint: "Grade the address that will be listed.",
    });
  }
  if (includeLlmObservations && app.config.readinessModel === undefined) {
    throw new ApiError("FEATURE_NOT_SUPPORTED", "No model is configured to look at servers.", {
      reason: "no_model",
      hint: "Leave out includeLlmObservations: a grade needs no model. Operators set FETTLE_READINESS_MODEL.",
    });
  }
  return url;
}
