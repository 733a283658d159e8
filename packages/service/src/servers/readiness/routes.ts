/** @module Binds the operations on directory readiness. */
import type { OrganizationId, ProjectId, ReadinessRunId, ServerId, UserId } from "@fettle/contract/core";
import { readinessKindOf } from "@fettle/contract/servers";
import { type Bindings, bindResource, type Call } from "../../core/routing/bind.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { cancelRun } from "../../runs/life/life.ts";
import { deleteRun } from "../../runs/retention/delete-run.ts";
import { findSavedServer } from "../live/store.ts";
import { readinessRunKind } from "./kind.ts";
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
    startRun(app, payerOf(caller, project), server, { kind: "claude", ...body }),
  ),
  startDirectoryBReadinessRun: bindResource(theServer, ({ app, caller, project, body }, server) =>
    startRun(app, payerOf(caller, project), server, { kind: "openai", ...body }),
  ),
  listReadinessRuns: async (call) => {
    const { readinessKind, serverId, limit } = call.query;
    const kind = readinessKind && readinessKindOf(readinessKind);
    const rows = await listRuns(call.app.db, { projectId: call.project.id, kind, serverId, limit });
    return { items: rows.map((row) => toRun(row, originFor(call))) };
  },
  getReadinessRun: bindResource(theRun, (call, run) => toRun(run, originFor(call))),
  cancelReadinessRun: bindResource(theRun, async ({ app }, run) => {
    const { id: runId, projectId } = (await cancelRun(app, readinessRunKind, run)).run;
    return { runId, projectId, status: "cancelled" as const };
  }),
  deleteReadinessRun: bindResource(theRun, ({ app, db, project, caller }, run) =>
    deleteRun(app, db, readinessRunKind, run, { userId: caller.userId, isAdmin: project.isAdmin }),
  ),
  getReadinessReport: bindResource(theRun, ({ app, query }, run) => readReport(app, run, query.limit)),
} satisfies Partial<Bindings>;
