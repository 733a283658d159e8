/** @module Binds the operations on eval runs. */

import type { EvalIterationId, EvalRunId, ProjectId } from "@fettle/contract/core";
import { idempotencyKeyOf } from "../../core/idempotency/idempotency.ts";
import {
  type Bindings,
  bindResource,
  type Call,
  type ProjectContext,
  type SignedInCaller,
} from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { cancelRun } from "../../runs/life/life.ts";
import { deleteRun } from "../../runs/retention/delete-run.ts";
import { theSuite } from "../suites/routes.ts";
import { findSuite } from "../suites/store.ts";
import { compareRun } from "./compare.ts";
import { createRun } from "./create-run.ts";
import { estimateRun } from "./estimate.ts";
import * as gate from "./gate.ts";
import { createRunGroup, findGroup, readGroup } from "./group.ts";
import { createInlineRun } from "./inline-run.ts";
import { cancelRunInsights, readRunInsights, requestRunInsights } from "./insights/insights.ts";
import { findIteration, readMatrix } from "./iteration-store.ts";
import { requestJudge } from "./judge/request.ts";
import { evalRunKind } from "./kind.ts";
import { type Launcher, scopeOf } from "./launch.ts";
import * as reads from "./reads.ts";
import { listGradings, regradeRun } from "./regrade.ts";
import { findRun } from "./store.ts";

type Asked = Pick<Call<never>, "app" | "request">;
interface InProject {
  project: { id: ProjectId };
}

const originFor = ({ app, request }: Asked) => originOf(app.config, request.headers);

const theRun = ({
  app,
  project,
  params,
}: Pick<Call<never>, "app"> & InProject & { params: { runId: EvalRunId } }) =>
  findRun(app.db, project.id, params.runId);

const theIteration = async (
  call: Pick<Call<never>, "app"> & InProject & { params: { runId: EvalRunId; iterationId: EvalIterationId } },
) => {
  const run = await theRun(call);
  const row = run && (await findIteration(call.app.db, run.id, call.params.iterationId));
  return run && row && { run, row };
};

const launcherOf = ({
  app,
  caller,
  project,
}: Pick<Call<never>, "app"> & { caller: SignedInCaller; project: ProjectContext }): Launcher => {
  const surface = caller.kind === "key" ? "api" : caller.via === "browser" ? "app" : caller.via;
  const apiKeyId = caller.kind === "key" ? caller.keyId : null;
  return {
    app,
    project,
    by: { userId: caller.userId, surface, apiKeyId },
    source: surface === "app" ? "ui" : "api",
  };
};

/** The header goes before the body. */
const keyOf = ({
  request,
  body,
}: Pick<Call<never>, "request"> & { body: { idempotencyKey?: string | undefined } }) =>
  idempotencyKeyOf(request.headers) ?? body.idempotencyKey;

const noSuite = () => notFound("evalSuite", { path: "body.suiteId" });

export const evalRunBindings = {
  createEvalRun: async (call) => {
    const { app, project, body } = call;
    if (body.suiteId === undefined)
      return createInlineRun(launcherOf(call), call.caller, body, keyOf(call), originFor(call));
    const suite = await findSuite(app.db, project.id, body.suiteId);
    if (!suite) throw noSuite();
    const launcher = launcherOf(call);
    const idempotencyScope = scopeOf(launcher, suite, keyOf(call));
    return createRun(launcher, suite, body, { idempotencyScope }, originFor(call));
  },
  estimateEvalRun: bindResource(theSuite, (call, suite) => {
    const { body } = call;
    const { environmentId, namedHostId } = body;
    const target = { environmentId, namedHostId };
    return estimateRun(launcherOf(call), {
      suite,
      knobs: body,
      target,
      idempotencyScope: null,
      requestHash: "",
    });
  }),
  createEvalRunGroup: async (call) => {
    const { app, project, body } = call;
    const suite = await findSuite(app.db, project.id, body.suiteId);
    if (!suite) throw noSuite();
    return createRunGroup(launcherOf(call), suite, body, keyOf(call), originFor(call));
  },
  getEvalRunGroup: bindResource(
    ({ app, project, params }) => findGroup(app.db, project.id, params.runGroupId),
    (call, row) => readGroup(call.app, row, originFor(call)),
  ),
  listEvalRuns: (call) => {
    const { cursor, limit, ...filter } = call.query;
    return reads.listRuns(
      call.app,
      { projectId: call.project.id, ...filter },
      { cursor, limit },
      originFor(call),
    );
  },
  listEvalSuiteRuns: bindResource(theSuite, async (call, suite) => {
    const filter = { projectId: suite.projectId, suiteId: suite.id };
    const { items } = await reads.listRuns(call.app, filter, call.query, originFor(call));
    return { items };
  }),
  getEvalRun: bindResource(theRun, async (call, run) => ({
    ...(await reads.readRun(call.app, run, originFor(call))),
    ...(call.project.isWorkspaceMember && { insights: await readRunInsights(call.app, run) }),
  })),
  requestEvalRunInsights: bindResource(theRun, ({ app, caller, body }, run) =>
    requestRunInsights(app, run, { by: caller.userId, force: body.force ?? false }),
  ),
  cancelEvalRunInsights: bindResource(theRun, ({ app }, run) => cancelRunInsights(app, run)),
  listEvalRunIterations: bindResource(theRun, ({ app, query }, run) => reads.listIterations(app, run, query)),
  getEvalIterationTrace: bindResource(theIteration, ({ app }, { run, row }) =>
    reads.readTrace(app, run, row),
  ),
  getEvalRunSteps: bindResource(theIteration, ({ app }, { run, row }) => reads.readSteps(app, run, row)),
  getEvalRunMatrix: bindResource(theRun, async ({ app }, run) => ({
    rows: await readMatrix(app.db, run.id),
  })),
  cancelEvalRun: bindResource(theRun, async (call, run) =>
    reads.readRun(call.app, (await cancelRun(call.app, evalRunKind, run)).run, originFor(call)),
  ),
  deleteEvalRun: bindResource(theRun, ({ app, db, project, caller }, run) =>
    deleteRun(app, db, evalRunKind, run, { userId: caller.userId, isAdmin: project.isAdmin }),
  ),
  requestEvalRunJudge: bindResource(theRun, ({ app, project, body }, run) =>
    requestJudge(app, project, run, body),
  ),
  regradeEvalRun: bindResource(theRun, ({ app, db, caller, body }, run) =>
    regradeRun(app, db, run, caller.userId, body),
  ),
  listEvalRunGradings: bindResource(theRun, ({ app }, run) => listGradings(app, run)),
  compareEvalRun: bindResource(theRun, ({ app, query }, run) => compareRun(app, run, query)),
  getEvalRunGate: bindResource(theRun, ({ app }, run) => gate.readGate(app, run)),
  getGateWaiver: bindResource(theRun, async ({ app }, run) => ({
    waiver: await gate.waiverInForce(app, app.db, run),
  })),
  createGateWaiver: bindResource(theRun, ({ app, db, caller, body }, run) =>
    gate.createWaiver(app, db, run, caller.userId, body),
  ),
  revokeGateWaiver: bindResource(
    async (call) => {
      const run = await theRun(call);
      const waiver = run && (await gate.findWaiverOf(call.app, run, call.params.waiverId));
      return run && waiver && { run, waiver };
    },
    ({ app, caller }, { run, waiver }) => gate.revokeWaiver(app, run, caller.userId, waiver),
  ),
} satisfies Partial<Bindings>;
