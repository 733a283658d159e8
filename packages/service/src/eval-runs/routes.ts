/** @module Binds the operations on eval runs. */
import { ApiError, type EvalIterationId, type EvalRunId, type ProjectId } from "@fettle/contract";
import { originOf } from "../accounts/origin.ts";
import { theSuite } from "../eval-suites/routes.ts";
import { findSuite } from "../eval-suites/store.ts";
import { idempotencyKeyOf } from "../idempotency/idempotency.ts";
import {
  type Bindings,
  bindResource,
  type Call,
  type ProjectContext,
  type SignedInCaller,
} from "../routing/bind.ts";
import { cancelRun } from "./cancel.ts";
import { createRun } from "./create-run.ts";
import { findIteration } from "./iteration-store.ts";
import type { Launcher } from "./launch.ts";
import * as reads from "./reads.ts";
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
}: Pick<Call<never>, "app"> & { caller: SignedInCaller; project: ProjectContext }): Launcher => ({
  app,
  caller,
  project,
  source: caller.kind === "session" && caller.via === "browser" ? "ui" : "api",
});

export const evalRunBindings = {
  createEvalRun: async (call) => {
    const { app, project, body, request } = call;
    const suite = body.suiteId && (await findSuite(app.db, project.id, body.suiteId));
    if (!suite)
      throw new ApiError("NOT_FOUND", "There is no such suite in this project.", { path: "body.suiteId" });
    const key = idempotencyKeyOf(request.headers) ?? body.idempotencyKey;
    return createRun(launcherOf(call), suite, body, key, originFor(call));
  },
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
  getEvalRun: bindResource(theRun, (call, run) => reads.readRun(call.app, run, originFor(call))),
  listEvalRunIterations: bindResource(theRun, ({ app, query }, run) => reads.listIterations(app, run, query)),
  getEvalIterationTrace: bindResource(theIteration, ({ app }, { run, row }) =>
    reads.readTrace(app, run, row),
  ),
  getEvalRunSteps: bindResource(theIteration, ({ app }, { run, row }) => reads.readSteps(app, run, row)),
  cancelEvalRun: bindResource(theRun, async (call, run) =>
    reads.readRun(call.app, await cancelRun(call.app, run), originFor(call)),
  ),
} satisfies Partial<Bindings>;
