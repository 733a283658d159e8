/** @module Operations of the Eval runs tag about suites and their cases. */
import { access, operation, serverErrors } from "../../core/operation.ts";
import { page, pageOrWholeQuery } from "../../core/page.ts";
import { AsLastRead } from "../../core/timestamp.ts";
import {
  EvalCase,
  EvalCaseCreateRequest,
  EvalCaseGenerated,
  EvalCaseGenerateRequest,
  EvalCasesBatchCreateRequest,
  EvalCasesBatchResult,
  EvalCaseUpdateRequest,
  EvalDeleted,
} from "../case.ts";
import {
  EvalSuiteCreated,
  EvalSuiteCreateRequest,
  EvalSuiteDetail,
  EvalSuiteEnvironmentAttached,
  EvalSuiteEnvironmentAttachRequest,
  EvalSuiteScheduleRequest,
  EvalSuiteUpdateRequest,
  FileSuiteSync,
  FileSuiteSynced,
} from "../suite.ts";

const tag = "Eval runs";

export const createEvalSuite = operation({
  id: "createEvalSuite",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites",
  access: access.project.read,
  summary: "Create a suite with its first cases",
  description:
    "Creates a suite with its cases. Cases are checked first: one that is not valid refuses the whole suite.",
  effect: "write",
  touches: {},
  names: "evalSuite",
  cli: "fettle cloud eval create",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
  body: EvalSuiteCreateRequest,
  output: EvalSuiteCreated,
  built: true,
});

export const getEvalSuite = operation({
  id: "getEvalSuite",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}",
  access: access.project.read,
  summary: "Read one suite with all its settings",
  description: "Reads one suite with its settings and schedule.",
  cli: "fettle cloud eval get",
  output: EvalSuiteDetail,
  built: true,
});

export const updateEvalSuite = operation({
  id: "updateEvalSuite",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/eval-suites/{suiteId}",
  access: access.project.read,
  summary: "Change a suite's settings",
  description:
    "Changes a suite. Fields that are left out stay. Runs that have started keep what they started with.",
  cli: "fettle cloud eval update",
  spends: "opt_in",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalSuiteUpdateRequest,
  output: EvalSuiteDetail,
  built: true,
});

export const deleteEvalSuite = operation({
  id: "deleteEvalSuite",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-suites/{suiteId}",
  access: access.project.read,
  elevated: "the creator of the suite, or the manage tier",
  summary: "Delete a suite with its cases and runs",
  description: "Deletes a suite with its cases and runs.",
  cli: "fettle cloud eval delete",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  output: EvalDeleted,
  built: true,
  query: AsLastRead,
});

export const syncFileOwnedEvalSuite = operation({
  id: "syncFileOwnedEvalSuite",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/from-file",
  access: access.project.read,
  summary: "Create or update the suite that a suite file owns",
  description:
    "Creates or updates the suite that a file in a repository declares. The same `sourceHash` changes nothing.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: FileSuiteSync,
  output: FileSuiteSynced,
  built: true,
});

export const attachEvalSuiteEnvironment = operation({
  id: "attachEvalSuiteEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/environments",
  access: access.project.read,
  summary: "Attach an environment to a suite",
  description: "Adds an environment that a suite runs in. Adding it again changes nothing.",
  effect: "write",
  touches: { evalSuite: "path.suiteId" },
  errors: ["VALIDATION_ERROR"],
  body: EvalSuiteEnvironmentAttachRequest,
  output: EvalSuiteEnvironmentAttached,
  built: true,
});

export const updateEvalSuiteSchedule = operation({
  id: "updateEvalSuiteSchedule",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/eval-suites/{suiteId}/schedule",
  access: access.project.read,
  summary: "Run a suite at an interval, or stop doing so",
  description: "Runs a suite at an interval, or stops doing so.",
  cli: "fettle cloud eval schedule",
  spends: "opt_in",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalSuiteScheduleRequest,
  output: EvalSuiteDetail,
  built: true,
});

export const listEvalCases = operation({
  id: "listEvalCases",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases",
  access: access.project.read,
  summary: "List a suite's cases",
  description: "Lists the cases of a suite in their order.",
  cli: "fettle cloud eval cases list",
  query: pageOrWholeQuery,
  output: page(EvalCase),
  built: true,
});

export const createEvalCase = operation({
  id: "createEvalCase",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases",
  access: access.project.read,
  summary: "Add a case to a suite",
  description: "Adds a case: a title and the steps that are played and checked.",
  effect: "write",
  touches: { evalSuite: "path.suiteId" },
  cli: "fettle cloud eval cases create",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalCaseCreateRequest,
  output: EvalCase,
  built: true,
});

export const createEvalCases = operation({
  id: "createEvalCases",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/batch",
  access: access.project.read,
  summary: "Add up to a hundred cases in one call",
  description:
    "Adds or updates many cases at once. Those that cannot be saved are answered one by one in `failed`.",
  effect: "person",
  status: 201,
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalCasesBatchCreateRequest,
  output: EvalCasesBatchResult,
  built: true,
});

export const generateEvalCases = operation({
  id: "generateEvalCases",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/generate",
  access: access.project.read,
  summary: "Draft cases for a suite from its servers' tools",
  description:
    "Drafts cases from the servers' tools and adds them to the suite. With the built-in rules it needs no model.",
  cli: "fettle cloud eval cases generate",
  spends: true,
  idempotent: "own",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  body: EvalCaseGenerateRequest,
  output: EvalCaseGenerated,
  built: true,
});

export const getEvalCase = operation({
  id: "getEvalCase",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/{caseId}",
  access: access.project.read,
  summary: "Read one case",
  description: "Reads one case with its steps.",
  cli: "fettle cloud eval cases get",
  output: EvalCase,
  built: true,
});

export const updateEvalCase = operation({
  id: "updateEvalCase",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/{caseId}",
  access: access.project.read,
  summary: "Change a case",
  description: "Changes a case. Fields that are left out stay; null clears one.",
  effect: "write",
  touches: { evalSuite: "path.suiteId" },
  cli: "fettle cloud eval cases update",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalCaseUpdateRequest,
  output: EvalCase,
  built: true,
});

export const deleteEvalCase = operation({
  id: "deleteEvalCase",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-suites/{suiteId}/cases/{caseId}",
  access: access.project.read,
  summary: "Delete a case; past runs keep their copy",
  description: "Deletes a case. Runs that played it keep it.",
  cli: "fettle cloud eval cases delete",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  output: EvalDeleted,
  built: true,
  query: AsLastRead,
});
