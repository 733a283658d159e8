/** @module Binds the operations on journey runs. */

import { Readable } from "node:stream";
import type { JourneyRunId, ProjectId, UserId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { idempotencyKeyOf } from "../../core/idempotency/idempotency.ts";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findProject } from "../../http/caller/access.ts";
import * as registry from "../../insights/registry.ts";
import { deleteRun } from "../../runs/retention/delete-run.ts";
import { theJourney, theSwarm } from "../swarms/routes.ts";
import { cancelRun } from "./cancel.ts";
import * as waves from "./insights/wave.ts";
import { journeyRunKind } from "./kind.ts";
import { launchRun } from "./launch.ts";
import { runFrames } from "./live.ts";
import { readMatrix } from "./matrix.ts";
import { readOverview } from "./overview.ts";
import { estimateRun } from "./plan.ts";
import * as reads from "./reads.ts";
import { readScorecard } from "./scorecard.ts";
import { findAttempt, findRun } from "./store.ts";

const theRun = ({ app, project, params }: InProject<{ runId: JourneyRunId }>) =>
  findRun(app.db, project.id, params.runId);

const theSession = async (call: InProject<{ runId: JourneyRunId; sessionKey: string }>) => {
  const run = await theRun(call);
  const row = run && (await findAttempt(call.app.db, run.id, call.params.sessionKey));
  return run && row && { run, row };
};

const theWave = ({ app, project, params }: InProject<{ waveId: string }>) =>
  waves.requireWave(app, project.id, params.waveId);

/** Swarms of a project are one family: what one of them showed, another may show again. */
async function dismissed(app: App, { id }: { id: ProjectId }, findingId: string, by: UserId | null) {
  const key = { projectId: id, familyId: id, findingId };
  const { dismissedAt } = await registry.setDismissed(app, key, by);
  return { id: findingId, projectId: id, dismissed: dismissedAt !== null, dismissedAt };
}

export const journeyRunBindings = {
  listJourneyRuns: bindResource(theJourney, ({ app, query }, journey) => reads.listRuns(app, journey, query)),
  estimateJourneyRun: bindResource(theJourney, ({ app, project }, journey) =>
    estimateRun(app, project.organizationId, journey),
  ),
  launchJourneyRun: bindResource(theJourney, ({ app, project, caller, body, request }, journey) =>
    launchRun(
      { app, organizationId: project.organizationId, userId: caller.userId },
      journey,
      body,
      idempotencyKeyOf(request.headers),
    ),
  ),
  getJourneyRun: bindResource(theRun, async ({ app, project }, run) => ({
    ...(await reads.readRun(app, run)),
    ...(project.isWorkspaceMember && { insights: await waves.readRunInsights(app, run) }),
  })),
  getSwarmMatrix: bindResource(theSwarm, ({ app }, swarm) => readMatrix(app, swarm)),
  getJourneyRunScorecard: bindResource(theRun, ({ app }, run) => readScorecard(app, run)),
  getSwarmOverview: ({ app, project }) => readOverview(app, project.id),
  getWaveInsights: async (call) => waves.readWaveInsights(call.app, await theWave(call)),
  requestWaveInsights: async (call) =>
    waves.requestWaveInsights(call.app, await theWave(call), {
      by: call.caller.userId,
      force: call.body.force === true,
    }),
  cancelWaveInsights: async (call) => waves.cancelWaveInsights(call.app, await theWave(call)),
  listSwarmFindings: async ({ app, project, query: { dismissed, ...page } }) => {
    const filter = { projectId: project.id, familyId: project.id, dismissed };
    const { items, ...next } = await registry.listFindings(app, filter, page);
    return { items: items.map((one) => ({ ...one, lastSeenWaveId: one.lastSeenIn.id })), ...next };
  },
  dismissSwarmFinding: ({ app, project, caller, params }) =>
    dismissed(app, project, params.findingId, caller.userId),
  undismissSwarmFinding: ({ app, project, params }) => dismissed(app, project, params.findingId, null),
  listJourneyRunSessions: bindResource(theRun, ({ app, query }, run) => reads.listSessions(app, run, query)),
  getJourneyRunSession: bindResource(theSession, ({ app }, { run, row }) => reads.readSession(app, run, row)),
  cancelJourneyRun: bindResource(theRun, ({ app }, run) => cancelRun(app, run)),
  deleteJourneyRun: bindResource(theRun, ({ app, db, project, caller }, run) =>
    deleteRun(app, db, journeyRunKind, run, { userId: caller.userId, isAdmin: project.isAdmin }),
  ),
  streamJourneyRun: async (call, response) => {
    const { app, caller, project, request } = call;
    const run = await theRun(call);
    if (!run) throw notFound("journeyRun");
    const boundTo = caller.kind === "key" ? caller.organizationId : null;
    const isStillAllowed = () =>
      findProject(app.pool, { userId: caller.userId, boundTo }, project.id).then(
        () => true,
        () => false,
      );
    const ended = AbortSignal.any([request.signal, response.server.stopping]);
    return response
      .type("text/event-stream; charset=utf-8")
      .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
      .send(
        Readable.from(runFrames(app, run, isStillAllowed, ended), { objectMode: true, highWaterMark: 1 }),
      );
  },
} satisfies Partial<Bindings>;
