/** @module Binds the operations of people who run tests; no rules here. */

import type { ChatSessionId, ProjectId, ScenarioId, UserId } from "@fettle/contract/core";
import type { ScenarioFindingDismissed } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { type Bindings, bindResource, type Call } from "../../core/routing/bind.ts";
import { missing } from "../../core/routing/not-found.ts";
import { listFindings, setDismissed } from "../../insights/registry.ts";
import { originOf } from "../../people/accounts/origin.ts";
import * as insights from "./insights/insights.ts";
import * as members from "./members.ts";
import { readMetrics, readUsage } from "./metrics.ts";
import * as reads from "./reads.ts";
import * as scenarios from "./scenarios.ts";
import { findInScenario } from "./session-store.ts";
import { findScenario, type ScenarioRow } from "./store.ts";
import { visitBindings } from "./visit-routes.ts";
import { eraseSession } from "./visit-sessions.ts";

type Asked = Pick<Call<never>, "app" | "request"> & {
  project: { id: ProjectId };
  params: { scenarioId: ScenarioId };
};

const theScenario = ({ app, project, params }: Asked) => findScenario(app.db, project.id, params.scenarioId);

const theSession = async (call: Asked & { params: { sessionId: ChatSessionId } }) => {
  const scenario = await theScenario(call);
  const found = scenario && (await findInScenario(call.app.db, scenario.id, call.params.sessionId));
  if (found) return { scenario, found };
  throw missing(
    "There is no such session of this scenario.",
    "The scenario's sessions are listed beside it; old ones are forgotten.",
  );
};

const origin = ({ app, request }: Pick<Call<never>, "app" | "request">) =>
  originOf(app.config, request.headers);

/** By whom: dismissed. Null: brought back. */
async function setAside(
  app: App,
  { id: scenarioId, projectId }: ScenarioRow,
  findingId: string,
  by: UserId | null,
): Promise<ScenarioFindingDismissed> {
  const { id, dismissedAt } = await setDismissed(app, { projectId, familyId: scenarioId, findingId }, by);
  return { id, scenarioId, projectId, dismissed: dismissedAt !== null };
}

export const userTestingBindings = {
  ...visitBindings,

  publishScenario: async (call) => {
    const by = { projectId: call.project.id, userId: call.caller.userId, origin: origin(call) };
    const published = await scenarios.publishScenario(call.app, by, call.params.environmentId, call.body);
    if (published.created) call.reply.status(201);
    return published;
  },
  unpublishScenario: ({ app, project, params }) =>
    scenarios.unpublishScenario(app, project.id, params.environmentId),
  updateUserTestingScenario: bindResource(theScenario, ({ app, body }, row) =>
    scenarios.updateScenario(app, row, body),
  ),
  getUserTestingScenario: bindResource(theScenario, ({ app, project }, row) =>
    reads.readScenario(app, project, row),
  ),
  setGuestExecution: bindResource(theScenario, ({ app, body }, row) =>
    scenarios.setGuestExecution(app, row, body),
  ),
  rotateScenarioLink: bindResource(theScenario, (call, row) =>
    scenarios.rotateLink(call.app, row, call.body.evictRedeemed, origin(call)),
  ),
  rebindScenario: bindResource(theScenario, (call, row) =>
    scenarios.rebindScenario(call.app, row, call.body.environmentId, origin(call)),
  ),

  listScenarioMembers: bindResource(theScenario, async ({ app }, row) => ({
    items: await members.listMembers(app, row),
  })),
  upsertScenarioMember: bindResource(theScenario, (call, row) =>
    members.inviteMember(call.app, row, { userId: call.caller.userId, origin: origin(call) }, call.body),
  ),
  removeScenarioMember: bindResource(theScenario, ({ app, params }, row) =>
    members.removeMember(app, row, params.memberIdOrEmail),
  ),

  listScenarios: async (call) => ({
    items: await reads.listScenarios(call.app, call.project, origin(call)),
  }),
  getScenario: bindResource(theScenario, (call, row) => reads.readDetail(call.app, row, origin(call))),
  listUserTestingSessions: bindResource(theScenario, ({ app, query }, row) =>
    reads.listSessions(app, row, query),
  ),
  getUserTestingSession: bindResource(theSession, ({ app, query }, { found }) =>
    reads.readSession(app, found, query),
  ),
  deleteUserTestingSession: bindResource(theSession, async ({ app, params }, { scenario }) => {
    await app.db.transaction((tx) => eraseSession(app, tx, scenario, params.sessionId));
    return { id: params.sessionId, erased: true as const };
  }),
  getUserTestingMetrics: bindResource(theScenario, ({ app, query }, row) =>
    readMetrics(app, row, query.population),
  ),
  getUserTestingSignals: bindResource(theScenario, ({ app, project }, row) =>
    insights.readSignals(app, project, row),
  ),
  listUserTestingFindings: bindResource(theScenario, ({ app, query }, { id: familyId, projectId }) =>
    listFindings(app, { projectId, familyId }, query),
  ),
  getUserTestingWindowInsights: bindResource(theScenario, ({ app, params }, row) =>
    insights.readWindowInsights(app, row, params.windowId),
  ),
  requestUserTestingInsights: bindResource(theScenario, ({ app, caller, body }, row) =>
    insights.requestWindowInsights(app, row, { by: caller.userId, force: body.force ?? false }),
  ),
  cancelUserTestingInsights: bindResource(theScenario, ({ app, body }, row) =>
    insights.cancelWindowInsights(app, row, body.windowId),
  ),
  dismissUserTestingFinding: bindResource(theScenario, ({ app, caller, params }, row) =>
    setAside(app, row, params.findingId, caller.userId),
  ),
  undismissUserTestingFinding: bindResource(theScenario, ({ app, params }, row) =>
    setAside(app, row, params.findingId, null),
  ),
  getUserTestingUsage: bindResource(theScenario, ({ app }, row) => readUsage(app, row)),
} satisfies Partial<Bindings>;
