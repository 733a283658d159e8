/** @module Operations of the Eval runs tag about what is made elsewhere: reported runs, and the checks of pull requests. */
import { access, operation } from "../../core/operation.ts";
import { EvalCheckRepoConnected, EvalCheckRepoConnectRequest, EvalCheckRepos } from "../check-repo.ts";
import {
  EvalIngestAdded,
  EvalIngestFinalize,
  EvalIngestFinished,
  EvalIngestIterations,
  EvalIngestReport,
  EvalIngestStart,
  EvalIngestStarted,
  EvalIngestUploadUrl,
} from "../ingest.ts";

const tag = "Eval runs";

export const createEvalIngestUploadUrl = operation({
  id: "createEvalIngestUploadUrl",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/artifacts/upload-url",
  access: access.project.readOrDefault,
  summary: "Get an address to upload one artifact to",
  description:
    "Makes an address that takes one file by PUT or POST, once, for ten minutes. The upload answers the id to name in `results`.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  output: EvalIngestUploadUrl,
  built: true,
});

export const reportEvalRun = operation({
  id: "reportEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/report",
  access: access.project.readOrDefault,
  summary: "Report a finished run made elsewhere, in one call",
  description:
    "Stores a finished run that was made elsewhere, all at once. The suite is found by name or created. For results that come bit by bit, use `startEvalIngestRun`.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalIngestReport,
  output: EvalIngestFinished,
  built: true,
});

export const startEvalIngestRun = operation({
  id: "startEvalIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/runs/start",
  access: access.project.readOrDefault,
  summary: "Begin reporting a run made elsewhere",
  description:
    "Opens a run that is reported bit by bit: send results with `ingestEvalRunIterations`, then end it with `finalizeEvalIngestRun`.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalIngestStart,
  output: EvalIngestStarted,
  built: true,
});

export const ingestEvalRunIterations = operation({
  id: "ingestEvalRunIterations",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/runs/iterations",
  access: access.project.readOrDefault,
  summary: "Report iterations of a run made elsewhere",
  description:
    "Adds results to a run that is being reported. A result that was sent before is skipped, so a batch can be sent again.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalIngestIterations,
  output: EvalIngestAdded,
  built: true,
});

export const finalizeEvalIngestRun = operation({
  id: "finalizeEvalIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/runs/finalize",
  access: access.project.readOrDefault,
  summary: "Finish a run that is being reported in pieces",
  description: "Ends a run that is being reported and judges it. Finalizing it again answers the same.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalIngestFinalize,
  output: EvalIngestFinished,
  built: true,
});

export const listEvalCheckRepos = operation({
  id: "listEvalCheckRepos",
  tag,
  method: "GET",
  path: "/organizations/{organizationId}/eval-check-repos",
  access: access.organization.member,
  summary: "List repositories whose checks run evals",
  description: "Lists the repositories whose pull requests are checked by a suite.",
  cli: "fettle cloud eval checks list",
  output: EvalCheckRepos,
  built: true,
});

export const connectEvalCheckRepo = operation({
  id: "connectEvalCheckRepo",
  tag,
  method: "POST",
  path: "/organizations/{organizationId}/eval-check-repos",
  access: access.organization.admin,
  summary: "Let a repository's checks run a suite",
  description:
    "Connects a repository to a suite: each pull request is then checked by a run. `outagePolicy` says how a check ends when the service cannot run it.",
  effect: "person",
  cli: "fettle cloud eval checks connect",
  status: 201,
  idempotent: "claimed",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  body: EvalCheckRepoConnectRequest,
  output: EvalCheckRepoConnected,
  built: true,
});
