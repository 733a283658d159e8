/** @module Whether a run passes its gate, and the waiver that lets a failed one through for a while. */
import { ApiError, type GateWaiverId, limits, type UserId } from "@fettle/contract/core";
import type { EvalRunGate, GateWaiver, GateWaiverCreateRequest, WaiverRefusal } from "@fettle/contract/evals";
import { decideGate } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { lockRun } from "../../runs/life/store.ts";
import { rowFacts } from "./facts.ts";
import { evalRunKind } from "./kind.ts";
import type * as store from "./store.ts";
import * as waivers from "./waiver-store.ts";

/** The engine's rule over what is kept of the run: nothing but its own result is asked. */
export function decide(run: store.RunRow, waiver: GateWaiver | null, now: number): EvalRunGate {
  const { importEligibility } = run;
  const { outcome, verdicts } = decideGate({
    run: rowFacts(run),
    policy: { runMustPass: true },
    waiver,
    now,
  });
  const hasVerdict = run.status === "completed" && run.result !== "inconclusive";
  const isBlocked = outcome === "incomplete";
  return {
    runId: run.id,
    // A policy that is fixed here has no faults.
    status: outcome as EvalRunGate["status"],
    verdict: hasVerdict ? (run.result as EvalRunGate["verdict"]) : null,
    gateable: !isBlocked,
    reasons: isBlocked
      ? [...verdicts.map(({ message }) => message), ...(importEligibility?.reasons ?? [])]
      : [],
    importEligibility,
    waiver,
    evaluatedAt: now,
  };
}

export async function readGate(app: App, run: store.RunRow): Promise<EvalRunGate> {
  return decide(run, await waiverInForce(app, app.db, run), app.now());
}

export async function waiverInForce(app: App, db: Querier, run: store.RunRow): Promise<GateWaiver | null> {
  const row = (await waivers.listInForce(db, [run.id], app.now())).get(run.id);
  return row ? waivers.toWaiver(row, app.now()) : null;
}

export async function createWaiver(
  app: App,
  db: Querier,
  { id: runId, projectId, suiteId }: store.RunRow,
  userId: UserId,
  request: GateWaiverCreateRequest,
) {
  const { reason, expiresAt } = requireSound(request, app.now());
  return inTransaction(db, async (tx) => {
    // Held, so that of two who waive at once the second finds the first one's.
    const run = stillThere(await lockRun(tx, evalRunKind, runId));
    const held = await waiverInForce(app, tx, run);
    if (held) {
      const told = { status: "conflict", waiver: held };
      throw Object.assign(refused("CONFLICT", "WAIVER_IN_FORCE", undefined, told), { beside: told });
    }
    const gate = decide(run, null, app.now());
    if (gate.status !== "failed") {
      const message = `The gate is ${gate.status}: only one that failed can be waived.`;
      throw refused("CONFLICT", "GATE_NOT_WAIVABLE", message, { gate: gate.status, reasons: gate.reasons });
    }
    const id = newId("gateWaiver", app.now());
    await waivers.insertWaiver(tx, {
      id,
      projectId,
      suiteId,
      runId,
      reason,
      expiresAt,
      policySnapshot: { minimumPassRate: run.minimumPassRate },
      createdBy: userId,
      createdAt: new Date(app.now()),
    });
    await announceInProject(app, tx, projectId, "eval-runs");
    const row = stillThere(await waivers.findWaiver(tx, runId, id));
    return { status: "created" as const, republishedChecks: 0, waiver: waivers.toWaiver(row, app.now()) };
  });
}

/** Each refusal by its own code, so that a form can point at the field. */
function requireSound({ reason, expiresAt }: GateWaiverCreateRequest, now: number) {
  const { waiverMs, waiverReasonLength } = limits.gate;
  const text = reason.trim();
  const refuse = (code: WaiverRefusal, path: string, message: string) =>
    new ApiError("VALIDATION_ERROR", message, { code, reason: code, path });
  if (text === "") throw refuse("gate_waiver_reason_empty", "body.reason", "Say why the gate is waived.");
  if (text.length > waiverReasonLength) {
    const message = `A reason has at most ${waiverReasonLength} characters.`;
    throw refuse("gate_waiver_reason_too_long", "body.reason", message);
  }
  if (expiresAt <= now) {
    throw refuse("gate_waiver_expiry_not_future", "body.expiresAt", "The waiver would have ended already.");
  }
  if (expiresAt > now + waiverMs) {
    throw refuse("gate_waiver_expiry_too_far", "body.expiresAt", "A waiver holds for at most 30 days.");
  }
  return { reason: text, expiresAt: new Date(expiresAt) };
}

export async function revokeWaiver(app: App, run: store.RunRow, userId: UserId, found: waivers.WaiverRow) {
  return app.db.transaction(async (tx) => {
    const by = { revokedAt: new Date(app.now()), revokedBy: userId };
    const isFirst = await waivers.revokeWaiver(tx, found.id, by);
    if (isFirst) await announceInProject(app, tx, run.projectId, "eval-runs");
    const row = stillThere(await waivers.findWaiver(tx, run.id, found.id));
    return {
      status: isFirst ? ("revoked" as const) : ("already_revoked" as const),
      republishedChecks: 0,
      waiver: waivers.toWaiver(row, app.now()),
    };
  });
}

/** Of another run: there is no such waiver here. */
export const findWaiverOf = (app: App, run: store.RunRow, id: GateWaiverId) =>
  waivers.findWaiver(app.db, run.id, id);
