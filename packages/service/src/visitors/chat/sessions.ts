/** @module What the owner of a conversation does with it: name, share, put away, delete, branch off. */

import type { ChatTurnId } from "@fettle/contract/core";
import type { ChatSession, ChatSessionUpdateRequest } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { toSession } from "./reads.ts";
import * as store from "./store.ts";

export async function updateSession(
  app: App,
  row: store.SessionRow,
  change: ChatSessionUpdateRequest,
): Promise<ChatSession> {
  const changed = await app.db.transaction(async (tx) => {
    await announceInProject(app, tx, row.projectId, "sessions");
    return store.updateSession(tx, row.id, change);
  });
  return toSession(app, changed ?? row);
}

export async function removeSession(
  app: App,
  { id, projectId }: store.SessionRow,
): Promise<{ id: string; deleted: true }> {
  await app.db.transaction(async (tx) => {
    await store.deleteSession(tx, id);
    await announceInProject(app, tx, projectId, "sessions");
  });
  return { id, deleted: true };
}

/** Another conversation with the same beginning; the first stays as it is. */
export async function branchSession(
  app: App,
  row: store.SessionRow,
  beforeTurnId: ChatTurnId,
): Promise<ChatSession> {
  const turn = await store.findTurn(app.db, row.id, beforeTurnId);
  if (!turn || turn.messageStart === null || turn.promptIndex === null) {
    throw notFound("chatTurn", {
      path: "body.beforeTurnId",
    });
  }
  const { messageStart: before, promptIndex } = turn;
  const now = new Date(app.now());
  const branch = await app.db.transaction(async (tx) => {
    const id = newId("chatSession", app.now());
    const { createdBy, projectId, origin, model, toolMode, settled, visibility } = row;
    const made = await store.insertSession(tx, {
      id,
      ...{ createdBy, projectId, origin, model, toolMode, settled, visibility },
      title: row.title,
      branchedFrom: row.id,
      messageCount: before,
      messageBytes: row.messageBytes,
      turnCount: promptIndex,
      firstMessage: promptIndex === 0 ? "" : row.firstMessage,
      version: promptIndex,
      createdAt: now,
      lastActivityAt: now,
    });
    const turnIds = await store.copyTurns(tx, row.id, id, promptIndex, app.now());
    await store.copyMessages(tx, row.id, id, before, turnIds);
    await announceInProject(app, tx, projectId, "sessions");
    return made;
  });
  return toSession(app, branch);
}
