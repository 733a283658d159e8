/** @module A request that was turned away at the door (429) and told when to come back: where that is soon, it comes back by itself. */
import { setTimeout as delay } from "node:timers/promises";
import { retryAfterSeconds } from "@fettle/contract/client";
import type { HttpClient, HttpResponse } from "../guard/client.ts";
import type { Recorder } from "../recording/recording.ts";

type HttpRequest = Parameters<HttpClient["request"]>[0];

const mostTries = 4;
/** A longer wait is the caller's to decide on. */
const soonMs = 10_000;

/** Nothing was done with what was turned away, so that even a call that must not happen twice may be sent again. */
export async function requestAgainSoon(
  client: HttpClient,
  request: HttpRequest,
  recorder: Recorder,
): Promise<HttpResponse> {
  for (let tried = 1; ; tried++) {
    const response = await client.request(request);
    const wait = response.status === 429 ? waitMs(response) : undefined;
    if (wait === undefined || wait > soonMs || tried >= mostTries) return response;
    response.cancel();
    recorder.note("turned away, comes back", { afterMs: wait });
    await delay(wait, undefined, request.signal && { signal: request.signal });
  }
}

function waitMs({ headers }: HttpResponse): number | undefined {
  const seconds = retryAfterSeconds(headers["retry-after"] ?? null, Date.now());
  return seconds === undefined ? undefined : seconds * 1_000;
}
