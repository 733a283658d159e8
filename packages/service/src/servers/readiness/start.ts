/** @module Starts a readiness run of a saved server: the row and its job are made together, or neither. */
import { ApiError, type OrganizationId, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { maskUrl } from "@fettle/contract/secrets";
import {
  hostedSubmissionModes,
  type ReadinessKind,
  type ReadinessObservations,
  type ReadinessRunReceipt,
  type SubmissionMode,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { newId } from "../../core/id.ts";
import { launchRun } from "../../runs/life/life.ts";
import type { SavedServer } from "../live/store.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { gradeServerJob } from "./grade-server.ts";
import { readinessRunKind } from "./kind.ts";
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
  const id = newId("readinessRun", app.now());
  const now = new Date(app.now());
  const values = {
    id,
    projectId,
    serverId,
    serverUrl: maskUrl(url),
    readinessKind: kind,
    submissionMode,
    includeLlmObservations,
    llmObservations: includeLlmObservations ? ({ status: "pending" } as const) : notRequested,
    idempotencyKey,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
  };
  const input = { projectId, runId: id, serverId, userId, organizationId };
  const made = await app.db.transaction((tx) =>
    launchRun(app, tx, readinessRunKind, { values, job: gradeServerJob, input }),
  );
  if (made) return answer(made, false);
  // Only the key can have been in the way.
  const held = stillThere(
    await store.findByIdempotencyKey(app.db, {
      serverId,
      kind,
      userId,
      key: must(idempotencyKey, "the key that was in the way"),
    }),
  );
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
