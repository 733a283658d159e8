/** @module What only the pages ask about evals: a whole run at a glance, what a launch would cost, and a suite to be edited. */
import { access, operation } from "../../../core/operation.ts";
import { EvalRunEstimate, EvalRunEstimateRequest } from "../../estimate.ts";
import { EvalRunMatrix } from "../../matrix.ts";
import {
  EvalSuiteCheck,
  EvalSuiteCheckRequest,
  EvalSuiteEdition,
  EvalSuiteSaveRequest,
} from "../../suite-document.ts";

const tag = "App evals";
const surface = "app";

export const getEvalRunMatrix = operation({
  id: "getEvalRunMatrix",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/matrix",
  access: access.project.read,
  summary: "Read what became of every repetition of a run, one letter each",
  built: true,
  output: EvalRunMatrix,
});

export const estimateEvalRun = operation({
  id: "estimateEvalRun",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/eval-suites/{suiteId}/estimate",
  access: access.project.read,
  summary: "Say what a launch would do and cost, without launching",
  built: true,
  body: EvalRunEstimateRequest,
  output: EvalRunEstimate,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const readEvalArtifact = operation({
  id: "readEvalArtifact",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/eval-artifacts/{artifactId}",
  access: access.project.read,
  summary: "A file that was uploaded with reported results",
  built: true,
  raw: true,
});

const edited = "/projects/{projectId}/eval-suites/{suiteId}/document";

export const getEvalSuiteDocument = operation({
  id: "getEvalSuiteDocument",
  tag,
  surface,
  method: "GET",
  path: edited,
  access: access.project.read,
  summary: "Read a suite with all its cases, as a value and as YAML",
  built: true,
  output: EvalSuiteEdition,
});

export const checkEvalSuiteDocument = operation({
  id: "checkEvalSuiteDocument",
  tag,
  surface,
  method: "POST",
  path: `${edited}/check`,
  access: access.project.read,
  summary: "Turn an edited suite from YAML into a value or back, and say what is wrong with it",
  built: true,
  body: EvalSuiteCheckRequest,
  output: EvalSuiteCheck,
  errors: ["VALIDATION_ERROR"],
});

export const saveEvalSuiteDocument = operation({
  id: "saveEvalSuiteDocument",
  tag,
  surface,
  method: "PUT",
  path: edited,
  access: access.project.read,
  summary: "Replace what a suite says and all its cases at once",
  built: true,
  body: EvalSuiteSaveRequest,
  output: EvalSuiteEdition,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});
