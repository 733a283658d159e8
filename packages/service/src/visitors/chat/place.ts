/** @module Which conversation or project a message is for, and whether the caller may. What they may not see reads as missing. */

import { ApiError, type ChatSessionId, type ProjectId } from "@fettle/contract/core";
import { type ChatTurnRequest, settledTurnFields } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import type { ProjectContext, SignedInCaller } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findProject } from "../../http/caller/access.ts";
import { refused } from "./refuse.ts";
import { type Settled, settle } from "./settled.ts";
import * as store from "./store.ts";

const noSession = () => notFound("chatSession");

/** One's own, or one that was shared with the project, for members of its workspace. */
export async function findReadable(
  app: App,
  caller: SignedInCaller,
  id: ChatSessionId,
  projectId?: ProjectId,
): Promise<{ session: store.SessionRow; project: ProjectContext } | undefined> {
  const session = await store.findSession(app.db, id);
  if (!session || (projectId !== undefined && session.projectId !== projectId)) return undefined;
  const project = await projectOf(app, caller, session.projectId).catch(asMissing);
  if (!project) return undefined;
  const isOwn = session.createdBy === caller.userId;
  return isOwn || (session.visibility === "project" && project.isWorkspaceMember)
    ? { session, project }
    : undefined;
}

export function projectOf(app: App, caller: SignedInCaller, id: ProjectId): Promise<ProjectContext> {
  const boundTo = caller.kind === "key" ? caller.organizationId : null;
  return findProject(app.pool, { userId: caller.userId, boundTo }, id);
}

function asMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.code === "NOT_FOUND") return undefined;
  throw error;
}

export interface Place {
  project: ProjectContext;
  session: store.SessionRow | undefined;
  settled: Settled;
}

/** Where a message goes. The first one settles what later ones may not say again. */
export async function placeOf(app: App, caller: SignedInCaller, body: ChatTurnRequest): Promise<Place> {
  const { sessionId, projectId } = body;
  if (sessionId === undefined) {
    if (projectId === undefined) {
      throw refused("VALIDATION_ERROR", "PROJECT_REQUIRED", { path: "body.projectId" });
    }
    const project = await projectOf(app, caller, projectId);
    return { project, session: undefined, settled: await settle(app, project, body) };
  }
  const fields = settledTurnFields.filter((name) => body[name] !== undefined);
  if (fields.length > 0) {
    const message = `The first message settled ${fields.join(", ")} for this conversation.`;
    const hint = "Leave them out, or begin a new conversation without sessionId.";
    throw refused("VALIDATION_ERROR", "CONFIG_ON_CONTINUATION", { fields, hint }, message);
  }
  const found = await findReadable(app, caller, sessionId, projectId);
  if (!found) throw noSession();
  if (found.session.createdBy !== caller.userId) throw refused("CONFLICT", "CONTINUATION_NOT_ALLOWED");
  return { ...found, settled: store.settledOf(found.session) };
}
