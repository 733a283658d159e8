/** @module Plays one turn: claims it, connects, offers what may be called, lets the agent go on until it stops, and keeps what came of it. */
import { ApiError, limits } from "@fettle/contract/core";
import type { ChatTurn } from "@fettle/contract/visitors";
import {
  type AgentEvent,
  type Approve,
  createAgent,
  type Message,
  type Model,
  SetupFailure,
} from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { outlasting } from "../../core/db/outage.ts";
import { createRunServers, type RunServers } from "../../environments/targets/run-servers.ts";
import { snapshotOf } from "../../environments/targets/tool-snapshots.ts";
import { openModel } from "../../models/open-model.ts";
import { tellingNothing } from "../../models/own-faults.ts";
import { toldFailure } from "../../servers/live/failure.ts";
import { claimTurn, releaseTurn, type Sending } from "./claim.ts";
import { holdLease, notingStart } from "./message-keys.ts";
import { narrow, type Offered } from "./narrow.ts";
import { type Claimed, failureOf, keepTurn, type Played, toTurn } from "./record.ts";
import { refused } from "./refuse.ts";
import * as store from "./store.ts";
import { wireOf } from "./wire.ts";

const { chat } = limits;

/** Who is there while a turn is played. */
export interface Company {
  /** Aborted: somebody stops it, and what it has come to is kept. */
  stop: AbortSignal;
  began?(claimed: Claimed): void;
  heard?(event: AgentEvent): void;
  approve?: Approve | undefined;
}

/**
 * The answer of a turn, or of one that was finished before under the same key. Throws what the API refuses with; a turn that
 * was paid for and could not be stored is answered all the same, and says so.
 */
export async function playTurn(app: App, sending: Sending, company: Company): Promise<ChatTurn> {
  const claim = await claimTurn(app, sending);
  if (claim.kind === "replayed") return claim.turn;
  const { turnId } = claim;
  using _lease = holdLease(app, turnId, (until) => store.prolongTurn(app.db, turnId, until));
  company.began?.(claim);
  const servers = createRunServers(app, {
    projectId: sending.project.id,
    userId: sending.userId,
    target: sending.settled.target,
    callMs: chat.turnMs,
    ...(!sending.visitor && { withComputer: true }),
  });
  let wasAsked = false;
  try {
    const model = await openTurnModel(app, sending, claim, () => {
      wasAsked = true;
    });
    const history = await readHistory(app, claim);
    await using opened = await connect(servers, company.stop);
    const offered = narrow(
      opened.links,
      sending.settled.target.servers,
      sending.settled.toolMode,
      sending.body,
    );
    if (claim.session.turnCount === 0)
      await sending.visitor?.met(servers.hide(offered.links.map(snapshotOf)));
    const { heard } = company;
    const hidden = { ...company, ...(heard && { heard: (event: AgentEvent) => heard(servers.hide(event)) }) };
    const played = servers.hide(await play(sending, hidden, model, history, offered));
    if (!wasAsked && played.trace.turns.at(-1)?.stop === "cancelled") {
      throw new ApiError("CONFLICT", "The turn was stopped before it began.", { code: "TURN_STOPPED" });
    }
    return await keep(app, claim, sending, played);
  } catch (error) {
    // A turn that was asked of a model is settled by `keep`; whatever else went wrong leaves the lease to run out.
    if (!wasAsked) await outlasting(() => releaseTurn(app, claim));
    throw error;
  } finally {
    await servers.close();
  }
}

/** Before its first call it is written down that from now on something may have been paid. */
async function openTurnModel(
  app: App,
  { project, settled, visitor }: Sending,
  { session, turnId }: Claimed,
  asked: () => void,
): Promise<Model> {
  const { organizationId, id: projectId } = project;
  const source = { kind: "chat", id: session.id };
  const payer = { organizationId, projectId, source, dial: visitor?.dial };
  const model = await openModel(app, { ...payer, name: settled.model });
  return notingStart(
    model,
    () => tellingNothing(app, () => store.updateTurn(app.db, turnId, { modelStarted: true })),
    asked,
  );
}

async function readHistory(app: App, { session }: Claimed): Promise<Message[]> {
  const rows = await store.listMessages(app.db, session.id);
  if (rows.length !== session.messageCount) {
    throw refused("SERVER_UNREACHABLE", "TRANSCRIPT_UNAVAILABLE", { sessionId: session.id });
  }
  return rows.map(({ message }) => message);
}

/** Without the list of tools nobody knows which of them only read, so the turn does not begin. */
async function connect(servers: RunServers, stop: AbortSignal) {
  try {
    return await servers.connect(0, stop);
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    const told = toldFailure(error.cause, { name: error.server });
    if (!(told instanceof ApiError)) throw error;
    const { code, message, details, status } = told;
    throw new ApiError(code, `${error.server}: ${message}`, { ...details, server: error.server }, { status });
  }
}

async function play(
  { body, settled, turnMs }: Sending,
  { stop, heard, approve }: Company,
  model: Model,
  history: Message[],
  offered: Offered,
): Promise<Played> {
  const { system } = settled.target;
  const agent = createAgent({
    model,
    servers: offered.links,
    history,
    ...(system && { system }),
    ...(settled.temperature !== null && { parameters: { temperature: settled.temperature } }),
    ...(settled.toolMode === "read_only" && { policy: { mode: "readOnly" as const } }),
    ...(approve && { approve }),
    ...(heard && { onEvent: heard }),
    limits: {
      steps: body.maxSteps,
      toolCalls: body.maxToolCalls ?? chat.toolCalls,
      turnMs,
      callMs: chat.turnMs,
    },
  });
  await agent.prompt(body.message, { signal: stop });
  const { trace } = agent;
  const { advertised, excluded, links } = offered;
  return { trace, advertised, excluded, wire: wireOf(trace.toolCalls, links) };
}

async function keep(app: App, claimed: Claimed, sending: Sending, played: Played): Promise<ChatTurn> {
  const { session, turnId } = claimed;
  const turn = toTurn(claimed, sending, played, session.turnCount);
  const failure = failureOf(played, { sessionId: session.id, turnId });
  if (failure?.code === "INTERNAL_ERROR")
    app.log.error("a turn failed on our side", { turnId, faults: played.trace.faults });
  try {
    await outlasting(() => keepTurn(app, claimed, sending, played, failure ? { failure } : { turn }));
  } catch (error) {
    if (failure) throw failure;
    const isConflict = error instanceof ApiError;
    if (!isConflict) app.log.error("a turn was played but could not be stored", { error, turnId });
    const { version: _, ...persisted } = turn.persisted;
    const isNew = session.turnCount === 0;
    return {
      ...turn,
      ...(isNew && !isConflict && { sessionId: null }),
      persisted: { ...persisted, outcome: isConflict ? "conflict" : "failed" },
    };
  }
  if (failure) throw failure;
  return turn;
}
