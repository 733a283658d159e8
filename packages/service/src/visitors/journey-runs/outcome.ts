/** @module What a session that something broke off means for it and for those after it. Pure. */
import type { AttemptState } from "@fettle/contract/visitors";
import { ModelError, type PlayedSession, type Trace } from "@fettle/evals";

export interface Outcome {
  state: Extract<AttemptState, "succeeded" | "failed" | "rate_limited">;
  error: string | null;
  /** Whom it stops: nobody else, those who come to the same place after it, or everybody. */
  stops: "nobody" | "place" | "all";
}

export const spendCapExceeded = "spend_cap_exceeded";
export const rateLimited = "rate_limited";

const spendCodes = ["MODEL_SPEND_LIMIT", "MODEL_PRICE_UNKNOWN", "MODEL_QUOTA_EXHAUSTED"];
const limitCodes = ["MODEL_RATE_LIMITED"];

/** Of a conversation that came to its end, whatever it brought. */
export function outcomeOf({ end, stop }: PlayedSession, { faults }: Pick<Trace, "faults">): Outcome {
  if (end !== "stopped") return { state: "succeeded", error: null, stops: "nobody" };
  const fault = faults.at(-1);
  return broken(fault?.code ?? "", fault?.message ?? `The conversation ended: ${stop}.`);
}

/** Of one that could not go on. */
export function failureOf(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  return broken(error instanceof ModelError ? error.code : "", message);
}

function broken(code: string, message: string): Outcome {
  const isOfModel = code.startsWith("MODEL_");
  if (isOfModel && (spendCodes.includes(code) || /\b(?:spend|cap|quota|budget)\b/i.test(message)))
    return { state: "failed", error: `${spendCapExceeded}: ${message}`, stops: "all" };
  if (limitCodes.includes(code))
    return { state: "rate_limited", error: `${rateLimited}: ${message}`, stops: "place" };
  return { state: "failed", error: message, stops: "nobody" };
}
