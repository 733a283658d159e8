/** @module One turn at a time, each message once: what a turn needs to hold before any model is asked, and how it lets go. */

import { limits, type ScenarioId, type UserId, type VisitorId } from "@fettle/contract/core";
import type {
  AttendedTurnRequest,
  ChatTurn,
  ChatTurnRequest,
  SessionOrigin,
} from "@fettle/contract/visitors";
import { digestOf, type ToolCall } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import type { ToolSnapshot } from "../../core/tables/eval-runs.ts";
import type { SpendDial } from "../../models/ledger.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { answeredBefore, inProgress, leaseFrom, tooManyTurns } from "./message-keys.ts";
import { refused } from "./refuse.ts";
import type { Settled } from "./settled.ts";
import * as store from "./store.ts";

const { chat } = limits;

/** Who sends what, where. `session`: the one to go on with; else `settled` begins one. */
export interface Sending {
  project: Pick<ProjectContext, "id" | "organizationId">;
  /** Null: a visitor without an account. */
  userId: UserId | null;
  visitor?: VisitorSending;
  origin: SessionOrigin;
  body: ChatTurnRequest | AttendedTurnRequest;
  session: store.SessionRow | undefined;
  settled: Settled;
  /** How long the turn may take. */
  turnMs: number;
}

/** A visitor's turn: held to what the scenario allows, and counted apart from those of the organization's own people. */
export interface VisitorSending {
  id: VisitorId;
  scenarioId: ScenarioId;
  /** Turns of the scenario that may be under way at once. */
  concurrent: number;
  /** Throws when they may not. Whatever narrows access waits for the transaction, or is waited for. */
  admit(tx: Transaction): Promise<void>;
  /** What the servers offer the model, before its first message. */
  met(offered: readonly ToolSnapshot[]): Promise<void>;
  /** What else is written when the turn is. */
  kept(tx: Transaction, played: { calls: readonly ToolCall[]; tookMs: number }): Promise<void>;
  dial: SpendDial | undefined;
}

export type Claim =
  | { kind: "claimed"; session: store.SessionRow; turnId: store.TurnRow["id"] }
  | { kind: "replayed"; turn: ChatTurn };

/** The same person's key means the same message, in one project. */
function scopeOf({ userId, visitor, project, body }: Sending): string {
  return digestOf([visitor?.id ?? userId, project.id, body.idempotencyKey]);
}

/**
 * Before anything is connected or asked. A key whose turn is finished is answered from what was stored; one under way, or of
 * another message, is refused. What a dead process held is free again when its lease is over: if its model had been asked, the
 * key stays used, because asking again would pay twice.
 */
export async function claimTurn(app: App, sending: Sending): Promise<Claim> {
  const scope = scopeOf(sending);
  const requestHash = digestOf(sending.body);
  const pool = poolOf(sending);
  return app.db.transaction(async (tx) => {
    await holdNameLock(tx, `chat-turn ${scope}`);
    const before = await store.findByScope(tx, scope);
    if (before) {
      const turn = repeated(app, before, requestHash);
      if (turn) return { kind: "replayed", turn };
    }
    await sending.visitor?.admit(tx);
    await holdPool(tx, pool);
    const session = await takeSession(app, tx, sending, before);
    const { working, waiting } = await store.countRunning(tx, pool, new Date(app.now()));
    const limit = waiting < chat.waitingTurns ? limitOf(sending) : 0;
    if (working >= limit) {
      throw tooManyTurns(limit || chat.waitingTurns);
    }
    const turnId = newId("chatTurn", app.now());
    const leaseUntil = leaseFrom(app);
    await store.insertTurn(tx, {
      id: turnId,
      sessionId: session.id,
      ...pool,
      userId: sending.userId,
      scope,
      requestHash,
      status: "running",
      message: sending.body.message,
      leaseUntil,
      startedAt: new Date(app.now()),
    });
    const held = { runningTurnId: turnId, runningUntil: leaseUntil, runningWaits: false };
    await store.updateSession(tx, session.id, held);
    await announceInProject(app, tx, session.projectId, "sessions");
    return { kind: "claimed", session, turnId };
  });
}

export const poolOf = ({ project, visitor }: Sending): store.TurnPool => ({
  organizationId: project.organizationId,
  scenarioId: visitor?.scenarioId ?? null,
});

/** How many of its pool may work at once. */
export const limitOf = ({ visitor }: Sending) => visitor?.concurrent ?? chat.concurrentTurnsPerOrganization;

/** As it looks from outside of a transaction: whoever claims a turn then may still be too late. */
export async function hasRoom(app: App, sending: Sending): Promise<boolean> {
  const { working, waiting } = await store.countRunning(app.db, poolOf(sending), new Date(app.now()));
  return working < limitOf(sending) && waiting < chat.waitingTurns;
}

/** Until the transaction ends, nobody else of the pool begins to work. */
export const holdPool = (tx: Transaction, { scenarioId, organizationId }: store.TurnPool) =>
  holdNameLock(tx, `chat-turns ${scenarioId ?? organizationId}`);

/** What to say to a key that was seen before; undefined: as if it had never been. */
function repeated(app: App, before: store.TurnRow, requestHash: string): ChatTurn | undefined {
  const { sessionId } = before;
  const turn = answeredBefore(app, before, requestHash, { sessionId });
  return turn && { ...turn, replay: true, persisted: { ...turn.persisted, outcome: "duplicate" } };
}

async function takeSession(
  app: App,
  tx: Transaction,
  { session, settled, project, userId, origin, body }: Sending,
  before: store.TurnRow | undefined,
): Promise<store.SessionRow> {
  const id = session?.id ?? before?.sessionId;
  const held = id === undefined ? undefined : await store.lockSession(tx, id);
  if (session && !held) throw notFound("chatSession");
  if (held) {
    const { runningTurnId, runningUntil, version } = held;
    if (runningTurnId && runningUntil && runningUntil.getTime() > app.now()) {
      throw inProgress(app, runningUntil, runningTurnId);
    }
    if (body.expectedVersion !== undefined && body.expectedVersion !== version) {
      throw refused("CONFLICT", "SESSION_VERSION_CONFLICT", { currentVersion: version });
    }
    if (held.messageBytes > chat.transcriptBytes) throw refused("CONFLICT", "TRANSCRIPT_FULL");
    return held;
  }
  const now = new Date(app.now());
  return store.insertSession(tx, {
    id: newId("chatSession", app.now()),
    projectId: project.id,
    createdBy: userId,
    origin,
    model: settled.model,
    toolMode: settled.toolMode,
    settled,
    ...nameBy(body.message),
    createdAt: now,
    lastActivityAt: now,
  });
}

/** What a conversation is called until somebody says otherwise: the beginning of what was said first. */
export function nameBy(message: string): { title: string; firstMessage: string } {
  const words = message.replaceAll("\0", "").toWellFormed().replace(/\s+/g, " ").trim();
  return { title: words.slice(0, titleLength), firstMessage: words.slice(0, chat.previewLength) };
}

const titleLength = 80;

/** Nothing was asked of a model: the key and the conversation are as they were before. */
export async function releaseTurn(app: App, claim: Extract<Claim, { kind: "claimed" }>): Promise<void> {
  await app.db.transaction(async (tx) => {
    const held = await store.lockSession(tx, claim.session.id);
    await store.deleteTurn(tx, claim.turnId);
    if (!held || held.runningTurnId !== claim.turnId) return;
    const isEmpty = held.turnCount === 0 && held.branchedFrom === null && held.origin !== "scenario";
    if (isEmpty) await store.deleteSession(tx, held.id);
    else await store.updateSession(tx, held.id, { runningTurnId: null, runningUntil: null });
    await announceInProject(app, tx, held.projectId, "sessions");
  });
}
