/**
 * @module Faults of the service itself in the middle of a turn. An agent tells what broke it, so they reach it without their words,
 * which may be SQL and ids; those are for the log alone.
 */
import { ModelError } from "@fettle/evals";
import type { App } from "../core/app.ts";
import { outageOf, outages } from "../core/db/outage.ts";

export const ownFaultMessage = "Something failed on our side.";

/**
 * @example
 * approve: (request, signal) => tellingNothing(app, () => decisionOn(app, request, signal)),
 */
export async function tellingNothing<T>({ log }: Pick<App, "log">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ModelError || (error instanceof Error && error.name === "AbortError")) throw error;
    log.error("a turn met a fault of the service", { error });
    const outage = outageOf(error);
    if (!outage) throw new Error(ownFaultMessage, { cause: error });
    const { message, retryAfter } = outages[outage];
    throw new ModelError("SERVICE_UNAVAILABLE", message, { retryAfterMs: retryAfter * 1000, cause: error });
  }
}
