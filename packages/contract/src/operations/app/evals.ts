/** @module What only the pages ask about evals: a whole run at a glance, and what a launch would cost. */
import { access, operation } from "../../operation.ts";
import { EvalRunEstimate, EvalRunEstimateRequest } from "../../resources/evals/estimate.ts";
import { EvalRunMatrix } from "../../resources/evals/matrix.ts";

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
