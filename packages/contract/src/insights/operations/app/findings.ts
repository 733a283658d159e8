/** @module Findings across runs, as the pages show them: which there are, how each fares over time, and dismissing. */
import { z } from "zod";
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { page, pageQuery } from "../../../core/page.ts";
import { dismissedFilter, findingStatuses, ProjectFinding, ProjectFindingDetail } from "../../finding.ts";
import { findingSeverities } from "../../insights.ts";

const tag = "App findings";
const surface = "app";
const one = "/projects/{projectId}/findings/{familyId}/{findingId}";

export const listFindings = operation({
  id: "listFindings",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/findings",
  access: access.project.workspaceMember,
  summary: "Problems over all runs and windows, the last seen first",
  built: true,
  query: pageQuery(limits.page.eval).extend({
    familyId: z.string().min(1).optional().describe("Of one suite or scenario"),
    status: z.enum(findingStatuses).optional(),
    severity: z.enum(findingSeverities).optional(),
    dismissed: dismissedFilter,
  }),
  output: page(ProjectFinding),
  errors: ["VALIDATION_ERROR"],
});

export const getFinding = operation({
  id: "getFinding",
  tag,
  surface,
  method: "GET",
  path: one,
  access: access.project.workspaceMember,
  summary: "One problem, and how it fared from run to run",
  built: true,
  output: ProjectFindingDetail,
});

export const dismissFinding = operation({
  id: "dismissFinding",
  tag,
  surface,
  method: "POST",
  path: `${one}/dismiss`,
  access: access.project.workspaceMember,
  summary: "Set a problem aside; it stays so however often it is seen again",
  built: true,
  output: ProjectFinding,
});

export const restoreFinding = operation({
  id: "restoreFinding",
  tag,
  surface,
  method: "POST",
  path: `${one}/restore`,
  access: access.project.workspaceMember,
  summary: "Bring a dismissed problem back",
  built: true,
  output: ProjectFinding,
});
