/** @module What the page of a conformance run shows beyond the API's summary: every check of a suite, with its evidence. */
import { access, operation } from "../../../core/operation.ts";
import { ConformanceSuiteReport } from "../../conformance/conformance-report.ts";

export const getConformanceSuiteReport = operation({
  id: "getConformanceSuiteReport",
  tag: "App conformance",
  surface: "app",
  method: "GET",
  path: "/projects/{projectId}/conformance-runs/{runId}/reports/{suiteKind}",
  access: access.project.read,
  summary: "One suite's report as it was stored",
  built: true,
  output: ConformanceSuiteReport,
});
