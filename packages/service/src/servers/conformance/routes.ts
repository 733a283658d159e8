/** @module Binds the operations on conformance runs. */
import type { ConformanceRunId, ProjectId, UserId } from "@fettle/contract/core";
import {
  type Bindings,
  bindResource,
  bindWithRefusal,
  type Call,
  type InProject,
} from "../../core/routing/bind.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { deleteRun } from "../../runs/retention/delete-run.ts";
import { findSavedServer } from "../live/store.ts";
import { theServer } from "../saved/routes.ts";
import { exportRun } from "./export.ts";
import { startHostedRun } from "./hosted.ts";
import * as ingest from "./ingest.ts";
import { conformanceRunKind } from "./kind.ts";
import { noteRefusal } from "./refused-report.ts";
import { toRun } from "./run-view.ts";
import { cancelRun, compareRun, listRuns, readReport, readSuiteReport } from "./runs.ts";
import { changeSchedule, readSchedule } from "./schedule.ts";
import { findRun, listReports } from "./store.ts";

type Asked = Pick<Call<never>, "app" | "request">;

const theRun = ({ app, project, params }: InProject<{ runId: ConformanceRunId }>) =>
  findRun(app.db, project.id, params.runId);

const originFor = ({ app, request }: Asked) => originOf(app.config, request.headers);

const reporterOf = (
  call: Asked & { caller: { userId: UserId }; project: { id: ProjectId } },
): ingest.Reporter => ({
  app: call.app,
  projectId: call.project.id,
  userId: call.caller.userId,
  origin: originFor(call),
});

export const conformanceBindings = {
  startConformanceRun: bindResource(
    ({ app, caller, project, params }) =>
      findSavedServer(app.db, { projectId: project.id, id: params.serverId, userId: caller.userId }),
    ({ app, caller, body }, server) => startHostedRun(app, caller, server, body),
  ),
  getConformanceSchedule: bindResource(theServer, ({ app }, server) => readSchedule(app.db, server.id)),
  updateConformanceSchedule: bindResource(
    ({ app, caller, project, params }) =>
      findSavedServer(app.db, { projectId: project.id, id: params.serverId, userId: caller.userId }),
    ({ app, db, caller, body }, server) => changeSchedule(app, db, server, caller.userId, body),
  ),
  listConformanceRuns: (call) => listRuns(call.app, call.project.id, call.query, originFor(call)),
  getConformanceRun: bindResource(theRun, (call, run) => toRun(run, originFor(call))),
  getConformanceReport: bindResource(theRun, ({ app }, run) => readReport(app, run)),
  getConformanceSuiteReport: bindResource(theRun, ({ app, params }, run) =>
    readSuiteReport(app, run, params.suiteKind),
  ),
  compareConformanceRuns: bindResource(theRun, ({ app, query }, run) => compareRun(app, run, query.with)),
  exportConformanceRun: bindResource(theRun, async ({ app, query }, run) =>
    exportRun(run, await listReports(app.db, run.id), query.format),
  ),
  cancelConformanceRun: bindResource(theRun, (call, run) => cancelRun(call.app, run, originFor(call))),
  deleteConformanceRun: bindResource(theRun, ({ app, db, project, caller }, run) =>
    deleteRun(app, db, conformanceRunKind, run, { userId: caller.userId, isAdmin: project.isAdmin }),
  ),
  reportConformanceRun: (call) => ingest.reportRun(reporterOf(call), call.body),
  startConformanceIngestRun: (call) => ingest.startRun(reporterOf(call), call.body),
  upsertConformanceIngestReport: bindWithRefusal(
    (call) => ingest.addReport(reporterOf(call), call.body),
    (call, refusal) => noteRefusal(reporterOf(call), call.body, refusal),
  ),
  heartbeatConformanceIngestRun: (call) => ingest.heartbeat(reporterOf(call), call.body.runId),
  finalizeConformanceIngestRun: (call) => ingest.finishRun(reporterOf(call), call.body.runId),
} satisfies Partial<Bindings>;
