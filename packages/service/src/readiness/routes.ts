/** @module Binds the operations on directory readiness. */
import {
  type OrganizationId,
  type ProjectId,
  type ReadinessRunId,
  readinessKindOf,
  type ServerId,
  type UserId,
} from "@fettle/contract";
import { originOf } from "../accounts/origin.ts";
import { findSavedServer } from "../live/store.ts";
import { type Bindings, bindResource, type Call } from "../routing/bind.ts";
import { deleteRun } from "../run-retention/delete-run.ts";
import { requestCancel } from "./end.ts";
import { readReport, toRun } from "./run-view.ts";
import { startRun } from "./start.ts";
import { findRun, listRuns } from "./store.ts";

type Asked = Pick<Call<never>, "app" | "request">;
type InProject = Pick<Call<never>, "app"> & { project: { id: ProjectId } };

const theRun = ({ app, project, params }: InProject & { params: { runId: ReadinessRunId } }) =>
  findRun(app.db, project.id, params.runId);
const theServer = ({
  app,
  project,
  params,
  caller,
}: InProject & { params: { serverId: ServerId }; caller: { userId: UserId } }) =>
  findSavedServer(app.db, { projectId: project.id, id: params.serverId, userId: caller.userId });
const payerOf = ({ userId }: { userId: UserId }, { organizationId }: { organizationId: OrganizationId }) => ({
  userId,
  organizationId,
});
const originFor = ({ app, request }: Asked) => originOf(app.config, request.headers);

export const readinessBindings = {
  startDirectoryAReadinessRun: bindResource(theServer, ({ app, caller, project, body }, server) =>
    startRun(app, payerOf(caller, project), server, { kind: "directory-a", ...body }),
  ),
  startDirectoryBReadinessRun: bindResource(theServer, ({ app, caller, project, body }, server) =>
    startRun(app, payerOf(caller, project), server, { kind: "directory-b", ...body }),
  ),
  listReadinessRuns: async (call) => {
    const { readinessKind, serverId, limit } = call.query;
    const kind = readinessKind && readinessKindOf(readinessKind);
    const rows = await listRuns(call.app.db, { projectId: call.project.id, kind, serverId, limit });
    return { items: rows.map((row) => toRun(row, originFor(call))) };
  },
  getReadinessRun: bindResource(theRun, (call, run) => toRun(run, originFor(call))),
  cancelReadinessRun: bindResource(theRun, ({ app }, run) => requestCancel(app, run)),
  deleteReadinessRun: bindResource(theRun, ({ app, db, project, caller }, run) =>
    deleteRun(app, db, "readiness", run, { userId: caller.userId, isAdmin: project.isAdmin }),
  ),
  getReadinessReport: bindResource(theRun, ({ app, query }, run) => readReport(app, run, query.limit)),
} satisfies Partial<Bindings>;
