/** @module Binds the operations of the workspace agent. */
import { type AgentActionId, limits, type ProjectId } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import { refuseTwoKeys } from "../core/idempotency/idempotency.ts";
import { type Bindings, bindResource } from "../core/routing/bind.ts";
import { originOf } from "../people/accounts/origin.ts";
import { approve, decline, listActions } from "./proposals.ts";
import * as store from "./store.ts";
import { runTurn } from "./turn.ts";

const proposal = ({
  app,
  project,
  params,
}: {
  app: App;
  project: { id: ProjectId };
  params: { actionId: AgentActionId };
}) => store.findAction(app.db, project.id, params.actionId);

export const agentBindings = {
  runAgentTurn: ({ app, project, caller, body, calls, request }) => {
    refuseTwoKeys(request.headers, body.idempotencyKey);
    const origin = originOf(app.config, request.headers);
    return runTurn(app, { project, caller, body, calls, origin, turnMs: limits.chat.turnMs });
  },
  listAgentActions: async ({ app, project, query }) => ({ items: await listActions(app, project.id, query) }),
  approveAgentAction: bindResource(proposal, ({ app, project, caller, calls, request }, action) =>
    approve(
      { app, projectId: project.id, userId: caller.userId },
      action,
      calls,
      originOf(app.config, request.headers),
    ),
  ),
  declineAgentAction: bindResource(proposal, ({ app, project, caller }, action) =>
    decline({ app, projectId: project.id, userId: caller.userId }, action),
  ),
} satisfies Partial<Bindings>;
