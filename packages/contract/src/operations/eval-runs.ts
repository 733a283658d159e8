/** @module Operations of the Eval runs tag: suites, cases, runs, gates, waivers, ingest. */
import { access, operation } from "../operation.ts";

const tag = "Eval runs";

export const listEvalRuns = operation({
  id: "listEvalRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs",
  access: access.project.read,
  summary: "List a project's eval runs, newest first",
  errors: ["VALIDATION_ERROR"],
});

export const getEvalRunGroup = operation({
  id: "getEvalRunGroup",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-run-groups/{runGroupId}",
  access: access.project.read,
  summary: "Read the runs that one launch started together",
});

export const getEvalRunGate = operation({
  id: "getEvalRunGate",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/gate",
  access: access.project.read,
  summary: "Whether a run passes its gate, and why",
});

export const createGateWaiver = operation({
  id: "createGateWaiver",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/gate-waivers",
  access: access.project.manage,
  summary: "Waive a failed gate until a named moment",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getGateWaiver = operation({
  id: "getGateWaiver",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/gate-waivers",
  access: access.project.read,
  summary: "The waiver in force on a run, if any",
});

export const revokeGateWaiver = operation({
  id: "revokeGateWaiver",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-runs/{runId}/gate-waivers/{waiverId}",
  access: access.project.manage,
  summary: "Take a waiver back; the gate fails again",
});

export const syncFileOwnedEvalSuite = operation({
  id: "syncFileOwnedEvalSuite",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/from-file",
  access: access.project.read,
  summary: "Create or update the suite that a suite file owns",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const createEvalRun = operation({
  id: "createEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs",
  access: access.project.read,
  summary: "Start an eval run",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT", "SERVER_UNREACHABLE", "TIMEOUT"],
});

export const getEvalRun = operation({
  id: "getEvalRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}",
  access: access.project.read,
  elevated: "workspace members also receive insights",
  summary: "Read one eval run",
});

export const compareEvalRun = operation({
  id: "compareEvalRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/compare",
  access: access.project.read,
  summary: "Compare a run with an earlier one, case by case",
});

export const listEvalRunIterations = operation({
  id: "listEvalRunIterations",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/iterations",
  access: access.project.read,
  summary: "List a run's iterations",
});

export const getEvalIterationTrace = operation({
  id: "getEvalIterationTrace",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/trace",
  access: access.project.read,
  summary: "Read the recorded trace of an iteration",
});

export const getEvalRunSteps = operation({
  id: "getEvalRunSteps",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/steps",
  access: access.project.read,
  summary: "Read the step verdicts of an iteration",
});

export const cancelEvalRun = operation({
  id: "cancelEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Cancel a run that has not finished",
  errors: ["CONFLICT"],
});

export const listEvalSuiteRuns = operation({
  id: "listEvalSuiteRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}/runs",
  access: access.project.read,
  summary: "List a suite's latest runs",
});

export const updateEvalSuiteSchedule = operation({
  id: "updateEvalSuiteSchedule",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/eval-suites/{suiteId}/schedule",
  access: access.project.read,
  summary: "Run a suite at an interval, or stop doing so",
  spends: "opt_in",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const listEvalCheckRepos = operation({
  id: "listEvalCheckRepos",
  tag,
  method: "GET",
  path: "/organizations/{organizationId}/eval-check-repos",
  access: access.organization.member,
  summary: "List repositories whose checks run evals",
});

export const connectEvalCheckRepo = operation({
  id: "connectEvalCheckRepo",
  tag,
  method: "POST",
  path: "/organizations/{organizationId}/eval-check-repos",
  access: access.organization.admin,
  summary: "Let a repository's checks run a suite",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
});

export const attachEvalSuiteEnvironment = operation({
  id: "attachEvalSuiteEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/environments",
  access: access.project.read,
  summary: "Attach an environment to a suite",
  errors: ["VALIDATION_ERROR"],
});

export const createEvalRunGroup = operation({
  id: "createEvalRunGroup",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-run-groups",
  access: access.project.read,
  summary: "Start one run per target, as a group",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT", "SERVER_UNREACHABLE", "TIMEOUT"],
});

export const createEvalSuite = operation({
  id: "createEvalSuite",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites",
  access: access.project.read,
  summary: "Create a suite with its first cases",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
});

export const getEvalSuite = operation({
  id: "getEvalSuite",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}",
  access: access.project.read,
  summary: "Read one suite with all its settings",
});

export const updateEvalSuite = operation({
  id: "updateEvalSuite",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/eval-suites/{suiteId}",
  access: access.project.read,
  summary: "Change a suite's settings",
  spends: "opt_in",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const deleteEvalSuite = operation({
  id: "deleteEvalSuite",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-suites/{suiteId}",
  access: access.project.read,
  elevated: "the creator of the suite, or the manage tier",
  summary: "Delete a suite with its cases and runs",
  errors: ["CONFLICT"],
});

export const listEvalCases = operation({
  id: "listEvalCases",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases",
  access: access.project.read,
  summary: "List a suite's cases",
});

export const createEvalCase = operation({
  id: "createEvalCase",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases",
  access: access.project.read,
  summary: "Add a case to a suite",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const createEvalCases = operation({
  id: "createEvalCases",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/batch",
  access: access.project.read,
  summary: "Add up to a hundred cases in one call",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
});

export const generateEvalCases = operation({
  id: "generateEvalCases",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/generate",
  access: access.project.read,
  summary: "Have a model draft cases for a suite",
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT", "SERVER_UNREACHABLE", "TIMEOUT"],
});

export const getEvalCase = operation({
  id: "getEvalCase",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/{caseId}",
  access: access.project.read,
  summary: "Read one case",
});

export const updateEvalCase = operation({
  id: "updateEvalCase",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/{caseId}",
  access: access.project.read,
  summary: "Change a case",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const deleteEvalCase = operation({
  id: "deleteEvalCase",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/{caseId}",
  access: access.project.read,
  summary: "Delete a case; past runs keep their copy",
  errors: ["CONFLICT"],
});

export const createEvalIngestUploadUrl = operation({
  id: "createEvalIngestUploadUrl",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/artifacts/upload-url",
  access: access.project.read,
  summary: "Get an address to upload one artifact to",
  errors: ["VALIDATION_ERROR"],
});

export const reportEvalRun = operation({
  id: "reportEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/report",
  access: access.project.read,
  summary: "Report a finished run made elsewhere, in one call",
  errors: ["VALIDATION_ERROR"],
});

export const finalizeEvalIngestRun = operation({
  id: "finalizeEvalIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/runs/finalize",
  access: access.project.read,
  summary: "Finish a run that is being reported in pieces",
  errors: ["VALIDATION_ERROR"],
});

export const ingestEvalRunIterations = operation({
  id: "ingestEvalRunIterations",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/runs/iterations",
  access: access.project.read,
  summary: "Report iterations of a run made elsewhere",
  errors: ["VALIDATION_ERROR"],
});

export const startEvalIngestRun = operation({
  id: "startEvalIngestRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-ingest/runs/start",
  access: access.project.read,
  summary: "Begin reporting a run made elsewhere",
  errors: ["VALIDATION_ERROR"],
});

export const requestEvalRunInsights = operation({
  id: "requestEvalRunInsights",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/insights",
  access: access.project.workspaceMember,
  summary: "Ask for findings over a run",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const requestEvalRunJudge = operation({
  id: "requestEvalRunJudge",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/judge",
  access: access.project.read,
  summary: "Ask the judge to grade a run",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});
