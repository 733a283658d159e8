/** @module What a test sends to the operations of the workspace agent. */
import { operationTools } from "../../agent/operation-tools.ts";
import { propose } from "../../agent/proposals.ts";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import type { World } from "../world.ts";

/** To call a tool of a server that is not there. */
const savedProposal = async ({ projectId, people }: World, app: App) => {
  const proposing = {
    projectId,
    userId: people.owner.userId,
    // One of its own: the same again in one conversation is the open one.
    conversationId: newId("request"),
    scope: newId("agentTurn"),
  };
  const args = { params: { serverId: "srv_missing" }, body: { toolName: "none" } };
  const { action } = await propose(app, proposing, operationTools().get("callTool")!, args);
  return { actionId: action.actionId };
};

export const agentInputs = {
  runAgentTurn: { body: () => ({ messages: [{ role: "user", content: "list suites" }] }) },
  listAgentActions: {},
  // That it failed is the answer.
  approveAgentAction: { params: savedProposal },
  declineAgentAction: { params: savedProposal },
};
