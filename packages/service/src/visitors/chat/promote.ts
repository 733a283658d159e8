/** @module An eval case made of a conversation: what decided how it went goes with it, and what a case cannot keep is said. */

import { ApiError, type ClientId, type EnvironmentId } from "@fettle/contract/core";
import type { EvalAdvancedConfig } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import type { ChatSessionPromoted, ChatSessionPromoteRequest } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findServers, requireEnvironments } from "../../environments/targets/named.ts";
import type { FrozenTarget } from "../../environments/targets/target.ts";
import { resolveTarget } from "../../evals/runs/target.ts";
import { createCase } from "../../evals/suites/cases.ts";
import * as suites from "../../evals/suites/store.ts";
import { openSuite } from "../../evals/suites/suites.ts";
import { caseFromTurns, type HeldTurn } from "./case-from-turns.ts";
import type { Settled } from "./settled.ts";
import * as store from "./store.ts";

type Warning = ChatSessionPromoted["warnings"][number];

export async function promoteSession(
  app: App,
  db: Querier,
  caller: SignedInCaller,
  session: store.SessionRow,
  { suiteId, suiteName = "", title }: ChatSessionPromoteRequest,
): Promise<ChatSessionPromoted> {
  const turns = await store.listTurns(db, session.id, { after: -1 });
  if (turns.length === 0) {
    const message = "Nothing was said in this conversation yet.";
    throw new ApiError("VALIDATION_ERROR", message, { code: "NOTHING_SAID", path: "sessionId" });
  }
  const draft = caseFromTurns(await heldTurns(db, session, turns), title);
  const settled = store.settledOf(session);
  return inTransaction(db, async (tx) => {
    const suite =
      suiteId === undefined
        ? await suiteLike(app, tx, caller, session, suiteName)
        : await suites.findSuite(tx, session.projectId, suiteId);
    if (!suite) throw notFound("evalSuite");
    const played = await resolveTarget(tx, suite, {}).catch(unsettled);
    const advancedConfig = keptBy(settled, played);
    const made = await createCase(app, tx, suite, caller.userId, {
      ...draft,
      ...(Object.keys(advancedConfig).length > 0 && { advancedConfig }),
    });
    const count = (kind: string) => draft.steps.filter((step) => step.kind === kind).length;
    return {
      suiteId: suite.id,
      suiteName: suite.name,
      case: made,
      messages: count("prompt"),
      calls: count("assert"),
      warnings: [...differences(settled, played), ...lost(settled, turns, count("prompt"))],
    };
  });
}

async function heldTurns(
  db: Querier,
  { id }: store.SessionRow,
  turns: readonly store.TurnRow[],
): Promise<HeldTurn[]> {
  const asked = new Map<number, string>();
  for (const { index, message } of await store.listMessages(db, id)) {
    if (message.role === "user") asked.set(index, message.text);
  }
  return turns.map((turn) => ({
    message: asked.get(turn.messageStart ?? -1) ?? "",
    toolCalls: turn.answer?.toolCalls ?? [],
  }));
}

/** A new suite whose runs are what the conversation was. */
async function suiteLike(
  app: App,
  tx: Transaction,
  caller: SignedInCaller,
  session: store.SessionRow,
  name: string,
): Promise<suites.SuiteRow> {
  const { target, model, systemPrompt, temperature, asksBeforeCalls } = store.settledOf(session);
  const { projectId } = session;
  // A run has nobody to ask, so it cannot be one of a client that wants it.
  const kind = asksBeforeCalls ? "servers" : target.kind;
  const wanted = target.servers.map(({ id }) => id);
  const servers = kind === "environment" ? [] : await findServers(tx, projectId, wanted, "sessionId");
  const serverIds = servers.map(({ id }) => id);
  const told = { systemPrompt, temperature };
  const suite = await openSuite(app, tx, { id: projectId }, caller, { name, serverIds, model, ...told });
  // The ids are of what the conversation was begun with.
  if (kind === "environment") {
    const ids = [target.id as EnvironmentId];
    await requireEnvironments(tx, projectId, ids, "sessionId");
    await suites.setEnvironments(tx, suite.id, ids);
  } else if (kind === "host") {
    await suites.setHosts(tx, suite.id, [{ clientId: target.id as ClientId, serverIds }]);
  }
  return suite;
}

/** Of a suite with several targets, or with none that can be run as it stands: why. */
function unsettled(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

/** What a run of the suite would do otherwise by itself. */
function keptBy(settled: Settled, played: FrozenTarget | string): EvalAdvancedConfig {
  const usual = typeof played === "string" ? undefined : played;
  const system = settled.target.system ?? "";
  const { temperature, toolMode } = settled;
  return {
    ...(system !== (usual?.system ?? "") && { system }),
    ...(temperature !== null && temperature !== usual?.temperature && { temperature }),
    ...(toolMode === "read_only" && { toolMode }),
  };
}

function differences(settled: Settled, played: FrozenTarget | string): Warning[] {
  const { target, model, temperature } = settled;
  const held = `The conversation was held ${nameOf(target)}`;
  if (typeof played === "string") {
    return [{ code: "TARGET_DIFFERS", message: `${held}; what the suite runs against is open: ${played}` }];
  }
  const warnings: Warning[] = [];
  if (played.kind !== target.kind || played.id !== target.id) {
    warnings.push({ code: "TARGET_DIFFERS", message: `${held}; the suite runs ${nameOf(played)}.` });
  }
  const ids = ({ servers }: FrozenTarget) =>
    servers
      .map(({ id }) => id)
      .toSorted()
      .join();
  if (ids(played) !== ids(target)) {
    const message = `The conversation was held with ${serversOf(target)}; the suite runs with ${serversOf(played)}.`;
    warnings.push({ code: "SERVERS_DIFFER", message });
  }
  if (played.model !== model) {
    const message = `The conversation was held with ${model}; the suite runs with ${played.model ?? "no model yet"}.`;
    warnings.push({ code: "MODEL_DIFFERS", message });
  }
  if (temperature === null && played.temperature !== null) {
    const message = `The conversation had no temperature; the suite runs at ${played.temperature}.`;
    warnings.push({ code: "TEMPERATURE_DIFFERS", message });
  }
  return warnings;
}

const serversOf = ({ servers }: FrozenTarget) => servers.map(({ name }) => name).join(", ") || "no server";

function nameOf({ kind, id, name }: FrozenTarget): string {
  if (kind === "environment") return `in the environment ${name}`;
  return kind === "host" ? `as the client ${id}` : "as no client";
}

/** What only a conversation has. */
function lost({ asksBeforeCalls }: Settled, turns: readonly store.TurnRow[], asked: number): Warning[] {
  const warnings: Warning[] = [];
  const narrowed = turns.flatMap((turn) => {
    const fields = Object.keys(turn.answer?.narrowed ?? {});
    return fields.length > 0
      ? [`message ${must(turn.promptIndex, "the place of each turn") + 1} by ${fields.join(", ")}`]
      : [];
  });
  if (narrowed.length > 0) {
    const message = `Single messages allowed less than a case does: ${narrowed.join("; ")}.`;
    warnings.push({ code: "TURNS_NARROWED", message });
  }
  if (asksBeforeCalls || turns.some(({ decisions }) => Object.keys(decisions).length > 0)) {
    const message = "A person was asked before calls; a run asks nobody.";
    warnings.push({ code: "CALLS_WERE_ASKED_ABOUT", message });
  }
  if (asked < turns.length) {
    const message = `A case has room for ${asked} of the ${turns.length} messages.`;
    warnings.push({ code: "CASE_CUT_SHORT", message });
  }
  return warnings;
}
