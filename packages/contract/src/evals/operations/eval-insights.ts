/** @module Operations of the Eval runs tag about findings over a run; the run itself carries them. */
import { access, operation } from "../../core/operation.ts";
import { InsightsEnvelope } from "../../insights/insights.ts";
import { EvalRunInsightsRequest, EvalRunInsightsRequested } from "../judge.ts";

const tag = "Eval runs";
const path = "/projects/{projectId}/eval-runs/{runId}/insights";

export const requestEvalRunInsights = operation({
  id: "requestEvalRunInsights",
  tag,
  method: "POST",
  path,
  access: access.project.workspaceMember,
  summary: "Ask for findings over a run",
  description:
    "Has a finished run looked at for problems. The findings appear in `getEvalRun`. With `force` it is looked at again.",
  cli: "fettle cloud eval request-insights",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  body: EvalRunInsightsRequest,
  output: EvalRunInsightsRequested,
  built: true,
});

export const cancelEvalRunInsights = operation({
  id: "cancelEvalRunInsights",
  tag,
  method: "DELETE",
  path,
  access: access.project.workspaceMember,
  summary: "Cancel findings that are being made; earlier findings stay",
  description:
    "Stops insights that are being made. They read `failed` with the error code `cancelled`; what was found before stays.",
  cli: "fettle cloud eval cancel-insights",
  errors: ["CONFLICT"],
  output: InsightsEnvelope,
  built: true,
});
