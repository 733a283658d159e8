/** @module Operations of the Eval runs tag about runs: launching, reading, comparing, the gate and its waivers, grading. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import { page, pageQuery } from "../../core/page.ts";
import { RunDeleted } from "../../runs/run-deleted.ts";
import { EvalRunCompare } from "../compare.ts";
import {
  EvalRunGate,
  GateWaiverConflict,
  GateWaiverCreateRequest,
  GateWaiverInForce,
  GateWaiverWritten,
} from "../gate.ts";
import { EvalRunGrading, EvalRunRegradeRequest } from "../grading.ts";
import { EvalIteration, EvalIterationStep, EvalIterationTrace } from "../iteration.ts";
import { EvalRunJudgeRequest, EvalRunJudgeRequested } from "../judge.ts";
import {
  EvalRunCreated,
  EvalRunCreateRequest,
  EvalRunGroupCreated,
  EvalRunGroupCreateRequest,
} from "../launch.ts";
import { EvalRunDetail, EvalRunGroup, EvalRunPage } from "../run.ts";
import { evalRunStatuses, iterationStatuses } from "../words.ts";

const tag = "Eval runs";

export const listEvalRuns = operation({
  id: "listEvalRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs",
  access: access.project.read,
  summary: "List a project's eval runs, newest first",
  description:
    "Lists runs of all suites of a project, newest first. Filter by suite, commit, status or group.",
  cli: "fettle cloud eval runs",
  errors: ["VALIDATION_ERROR"],
  query: pageQuery(limits.page.runs).extend({
    suiteId: idOf<"evalSuite">().optional(),
    commitSha: z.string().trim().min(1).optional(),
    status: z.enum(evalRunStatuses).optional(),
    runGroupId: idOf<"evalRunGroup">().optional(),
  }),
  output: EvalRunPage,
  built: true,
});

export const getEvalRunGroup = operation({
  id: "getEvalRunGroup",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-run-groups/{runGroupId}",
  access: access.project.read,
  summary: "Read the runs that one launch started together",
  description: "Reads a group with the state of its runs and one outcome over all.",
  output: EvalRunGroup,
  built: true,
});

export const getEvalRunGate = operation({
  id: "getEvalRunGate",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/gate",
  access: access.project.read,
  summary: "Whether a run passes its gate, and why",
  description:
    "Decides whether a run may let a change through: its result against the suite's pass criteria, and a waiver if there is one.",
  cli: "fettle cloud eval gate",
  output: EvalRunGate,
  built: true,
});

export const createGateWaiver = operation({
  id: "createGateWaiver",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/gate-waivers",
  access: access.project.manage,
  summary: "Waive a failed gate until a named moment",
  description:
    "Lets a failed gate pass until `expiresAt`, for a reason that everyone who sees the suite can read. The run stays failed. A second waiver while one is in force is a 409 with the first.",
  effect: "person",
  cli: "fettle cloud eval gate waive",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  refusals: { CONFLICT: GateWaiverConflict },
  body: GateWaiverCreateRequest,
  output: GateWaiverWritten,
  built: true,
});

export const getGateWaiver = operation({
  id: "getGateWaiver",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/gate-waivers",
  access: access.project.read,
  summary: "The waiver in force on a run, if any",
  description: "Reads the waiver of a run's gate. `waiver` is null if there is none.",
  output: GateWaiverInForce,
  built: true,
});

export const revokeGateWaiver = operation({
  id: "revokeGateWaiver",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-runs/{runId}/gate-waivers/{waiverId}",
  access: access.project.manage,
  summary: "Take a waiver back; the gate fails again",
  description: "Ends a waiver at once. Revoking it again answers `already_revoked`.",
  cli: "fettle cloud eval gate unwaive",
  output: GateWaiverWritten,
  built: true,
});

export const createEvalRun = operation({
  id: "createEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs",
  access: access.project.read,
  summary: "Start an eval run",
  description:
    "Starts a run of a saved suite, or of `tests` sent along. Suite, cases, servers and model are frozen at this moment. Follow it with `getEvalRun`.",
  cli: "fettle cloud eval run",
  status: 202,
  spends: true,
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT", "SERVER_UNREACHABLE", "TIMEOUT"],
  body: EvalRunCreateRequest,
  output: EvalRunCreated,
  built: true,
});

export const getEvalRun = operation({
  id: "getEvalRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}",
  access: access.project.read,
  elevated: "workspace members also receive insights",
  summary: "Read one eval run",
  description: "Reads one run: its status, its result, and how its cases went.",
  cli: "fettle cloud eval status",
  output: EvalRunDetail,
  built: true,
});

export const compareEvalRun = operation({
  id: "compareEvalRun",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/compare",
  access: access.project.read,
  summary: "Compare a run with an earlier one, case by case",
  description:
    "Compares a run with an earlier one, case by case: what broke, what was fixed, what changed. Without a base it takes the run before it of the same suite.",
  cli: "fettle cloud eval compare",
  query: z
    .strictObject({
      baseRunId: idOf<"evalRun">()
        .optional()
        .describe("Absent: the nearest earlier finished run of the suite"),
      baseCommitSha: z.string().trim().min(1, "is blank").optional(),
      previewChars: z.coerce.number().int().min(0).max(limits.evals.previewChars).optional(),
    })
    .refine(({ baseRunId, baseCommitSha }) => baseRunId === undefined || baseCommitSha === undefined, {
      error: "baseRunId and baseCommitSha exclude each other.",
      path: ["baseCommitSha"],
    }),
  output: EvalRunCompare,
  built: true,
});

export const listEvalRunIterations = operation({
  id: "listEvalRunIterations",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/iterations",
  access: access.project.read,
  summary: "List a run's iterations",
  description:
    "Lists the iterations of a run: each case as often as it was played, with its result, tool calls and cost.",
  cli: "fettle cloud eval iterations",
  query: pageQuery(limits.page.eval).extend({
    result: z.enum(["passed", "failed"]).optional(),
    status: z.enum(iterationStatuses).optional(),
    caseKey: z.string().min(1).optional(),
    order: z.enum(["asked", "failures"]).default("asked").describe("`failures`: what failed comes first"),
  }),
  output: page(EvalIteration),
  built: true,
});

export const getEvalIterationTrace = operation({
  id: "getEvalIterationTrace",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/trace",
  access: access.project.read,
  summary: "Read the recorded trace of an iteration",
  description: "Reads everything an iteration said and called, message by message.",
  cli: "fettle cloud eval trace",
  output: EvalIterationTrace,
  built: true,
});

export const getEvalRunSteps = operation({
  id: "getEvalRunSteps",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/steps",
  access: access.project.read,
  summary: "Read the step verdicts of an iteration",
  description: "Reads what each step of an iteration came to, with its evidence.",
  cli: "fettle cloud eval steps",
  output: page(EvalIterationStep),
  built: true,
});

export const cancelEvalRun = operation({
  id: "cancelEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/cancel",
  access: access.project.read,
  summary: "Cancel a run that has not finished",
  description: "Stops a run. Iterations that have finished are kept. Canceling it again answers the same.",
  effect: "cancel",
  cli: "fettle cloud eval cancel",
  errors: ["CONFLICT"],
  output: EvalRunDetail,
  built: true,
});

export const deleteEvalRun = operation({
  id: "deleteEvalRun",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/eval-runs/{runId}",
  access: access.project.read,
  elevated: "the person who started the run, or the manage tier",
  summary: "Delete a finished eval run with its iterations and traces",
  description:
    "Deletes a run with its iterations and traces. A run that is still going has to be canceled first.",
  cli: "fettle cloud eval runs delete",
  errors: ["CONFLICT"],
  output: RunDeleted,
  built: true,
});

export const listEvalSuiteRuns = operation({
  id: "listEvalSuiteRuns",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites/{suiteId}/runs",
  access: access.project.read,
  summary: "List a suite's latest runs",
  description: "Lists the runs of one suite, newest first.",
  query: pageQuery(limits.page.runs).omit({ cursor: true }),
  output: EvalRunPage,
  built: true,
});

export const createEvalRunGroup = operation({
  id: "createEvalRunGroup",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-run-groups",
  access: access.project.read,
  summary: "Start one run per target, as a group",
  description:
    "Starts one run of a suite in each of several environments or clients. A target that cannot start is answered as failed beside those that did.",
  cli: "fettle cloud eval run",
  status: 202,
  spends: true,
  idempotent: "own",
  errors: ["VALIDATION_ERROR", "CONFLICT", "SERVER_UNREACHABLE", "TIMEOUT"],
  body: EvalRunGroupCreateRequest,
  output: EvalRunGroupCreated,
  built: true,
});

export const requestEvalRunJudge = operation({
  id: "requestEvalRunJudge",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/judge",
  access: access.project.read,
  summary: "Ask the judge to grade a run",
  description:
    "Has a model judge the finished iterations of a run. With `enable` the suite's judge is switched on first.",
  cli: "fettle cloud eval judge",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalRunJudgeRequest,
  output: EvalRunJudgeRequested,
  built: true,
});

export const regradeEvalRun = operation({
  id: "regradeEvalRun",
  tag,
  method: "POST",
  path: "/projects/{projectId}/eval-runs/{runId}/regrade",
  access: access.project.read,
  summary: "Judge a finished run again from what was kept of it",
  description:
    "Grades a finished run again from its recordings, with the suite's checks of now or those sent along. Nothing is played again.",
  effect: "write",
  touches: {},
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: EvalRunRegradeRequest,
  output: EvalRunGrading,
  built: true,
});

export const listEvalRunGradings = operation({
  id: "listEvalRunGradings",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-runs/{runId}/gradings",
  access: access.project.read,
  summary: "How a run was judged again, newest first",
  description: "Lists how often a run was graded and what each grading came to.",
  output: page(EvalRunGrading),
  built: true,
});
