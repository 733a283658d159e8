/**
 * @module Each message once: what a key that was seen before is answered with, and how a turn under way holds it. The same for
 * conversations and for the workspace agent.
 */
import { ApiError, limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { TurnRefusal } from "@fettle/contract/visitors";
import type { Model } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { StoredError } from "../../core/tables/chat.ts";
import { refused } from "./refuse.ts";

const { chat } = limits;

/** A turn as its row tells it. */
export interface HeldTurn<Answer = unknown> {
  id: string;
  requestHash: string;
  status: "running" | "completed" | "failed";
  /** From here on it may have cost something, whatever becomes of it. */
  modelStarted: boolean;
  leaseUntil: Date;
  /** Of one that has completed. */
  answer: Answer | null;
  /** Of one that has failed. */
  error: StoredError | null;
}

/** The process that plays it lives. */
export const isUnderWay = (
  { now }: Pick<App, "now">,
  { status, leaseUntil }: Pick<HeldTurn, "status" | "leaseUntil">,
) => status === "running" && leaseUntil.getTime() > now();

/** The process that played it died: its lease is over, or that was written down since (`settle-lost`). */
export const isLost = (
  app: Pick<App, "now">,
  turn: Pick<HeldTurn, "status" | "leaseUntil" | "error">,
): boolean =>
  turn.status === "running"
    ? !isUnderWay(app, turn)
    : turn.error?.details.code === ("TURN_LOST" satisfies TurnRefusal);

/**
 * What was stored for the same message; undefined: as if the key had never been seen. One under way, or of another message, is
 * refused; so is one whose process died after its model was asked, because asking again would pay twice.
 */
export function answeredBefore<Answer>(
  app: Pick<App, "now">,
  before: HeldTurn<Answer>,
  requestHash: string,
  named: Record<string, unknown> = {},
): Answer | undefined {
  if (before.requestHash !== requestHash) throw refused("CONFLICT", "IDEMPOTENCY_KEY_REUSED");
  if (before.status === "completed") return before.answer ?? undefined;
  if (isLost(app, before)) {
    if (!before.modelStarted) return undefined;
    throw lostTurn(before, named);
  }
  if (before.status === "failed") {
    const { code, message, details, status } = must(before.error, "the error of a failed turn");
    throw new ApiError(code, message, { ...details, replay: true }, { status });
  }
  throw inProgress(app, before.leaseUntil, before.id);
}

export function lostTurn(
  { modelStarted }: Pick<HeldTurn, "modelStarted">,
  named: Record<string, unknown> = {},
): ApiError {
  const paid = modelStarted
    ? "It may have been paid for, so it is not sent again by itself."
    : "No model was asked.";
  const hint = `${paid} Send the message with a new idempotency key.`;
  return refused("CONFLICT", "TURN_LOST", { ...named, hint });
}

export function inProgress(app: Pick<App, "now">, until: Date, turnId: string): ApiError {
  const leftMs = Math.max(0, until.getTime() - app.now());
  const retryAfterMs = Math.min(chat.retryAfterMs, leftMs);
  return refused("CONFLICT", "TURN_IN_PROGRESS", { turnId, retryAfterMs });
}

/** As many as may are under way. */
export const tooManyTurns = (limit: number): ApiError =>
  refused("RATE_LIMITED", "TOO_MANY_TURNS", { limit, retryAfterMs: chat.retryAfterMs });

export const leaseFrom = ({ now }: Pick<App, "now">) => new Date(now() + chat.leaseMs);

/** Prolongs the lease until it is disposed of: a process that died is known by its silence, however long a turn may take. */
export function holdLease(
  app: Pick<App, "now" | "log">,
  turnId: string,
  prolong: (until: Date) => Promise<unknown>,
): Disposable {
  const beat = setInterval(() => {
    prolong(leaseFrom(app)).catch((error: unknown) =>
      app.log.warn("a turn's lease could not be prolonged", { error, turnId }),
    );
  }, chat.leaseMs / 6).unref();
  return { [Symbol.dispose]: () => clearInterval(beat) };
}

/** The model, whose first call is written down before it is made: from then on the turn may have cost something. */
export function notingStart(model: Model, note: () => Promise<unknown>, asked: () => void): Model {
  let isNoted = false;
  return {
    ...model,
    generate: async (request, context) => {
      if (!isNoted) await note();
      isNoted = true;
      asked();
      return model.generate(request, context);
    },
  };
}
