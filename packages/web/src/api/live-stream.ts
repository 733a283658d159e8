/** @module One connection to the event stream: keeps it up, resumes where it broke, and says how it stands. */
import { streamLimits } from "@fettle/contract/core";
import { readServerSentEvents, type ServerSentEvent } from "@fettle/contract/formats";
import { localHeaders } from "./local.ts";
import { type LinkState, lastAnswerAt } from "./session.ts";

/** What a stream tells: a type, its data, and the id to resume after. */
export type HeardEvent = ServerSentEvent & { data: string };

export interface LiveStreamOptions {
  url: string;
  /** Where to go on after a break. */
  lastEventId: string | null;
  /** Where there is nothing to go on after: for how long has been read what the stream tells of. */
  openForMs?: () => number;
  onEvent: (event: HeardEvent) => void;
  onState: (state: LinkState) => void;
  signal: AbortSignal;
}

const backOff = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const silence = 40_000;
const failuresBeforePolling = 3;

/** Runs until the signal is aborted. */
export async function runLiveStream(options: LiveStreamOptions): Promise<void> {
  let lastEventId = options.lastEventId;
  let failures = 0;
  while (!options.signal.aborted) {
    let pause: number | undefined;
    const outcome = await readOnce({
      ...options,
      lastEventId,
      onOpen: () => {
        failures = 0;
        options.onState("on");
      },
      onEvent: (event) => {
        lastEventId = event.id ?? lastEventId;
        if (event.event === "bye") pause = pauseOf(event.data);
        options.onEvent(event);
      },
    });
    if (options.signal.aborted) return;
    failures += 1;
    // Signed out, or a topic that is not ours any more: the page polls, and its own reads say why.
    if (outcome === "refused") failures = backOff.length;
    if (outcome === "crowded") {
      options.onState("crowded");
      pause = streamLimits.retryAfterSeconds * 1000 * (0.75 + Math.random() / 2);
    } else if (outcome === "unreachable") options.onState("offline");
    else if (failures >= failuresBeforePolling) options.onState("paused");
    await waitUntilWorthTrying(pause ?? jittered(failures), options.signal, outcome === "unreachable");
  }
}

type Outcome = "ended" | "unreachable" | "refused" | "crowded";

async function readOnce(options: LiveStreamOptions & { onOpen: () => void }): Promise<Outcome> {
  // Silence for too long means a dead link that TCP has not noticed; the clock starts anew with every byte.
  const quiet = new AbortController();
  let timer = setTimeout(() => quiet.abort(), silence);
  // The browser has lost its network: whether the service is still there, which may be on this machine, is tried at once.
  addEventListener("offline", () => quiet.abort(), { signal: quiet.signal });
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => quiet.abort(), silence);
  };
  try {
    const since = options.lastEventId === null && options.openForMs;
    const response = await fetch(since ? `${options.url}&openForMs=${Math.ceil(since())}` : options.url, {
      headers: {
        accept: "text/event-stream",
        ...localHeaders(),
        ...(options.lastEventId !== null && { "last-event-id": options.lastEventId }),
      },
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.any([options.signal, quiet.signal]),
    });
    if (!response.ok || !response.body) return await refusalOf(response);
    options.onOpen();
    const events = readServerSentEvents(({ data, ...event }) => {
      // As browsers read it: an event without data tells nothing.
      if (data !== undefined) options.onEvent({ ...event, data });
    });
    const text = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "ended";
      heard();
      events.push(text.decode(value, { stream: true }));
    }
  } catch {
    // Nothing else aborts it before the end.
    return quiet.signal.aborted ? "ended" : "unreachable";
  } finally {
    clearTimeout(timer);
    quiet.abort();
  }
}

async function refusalOf(response: Response): Promise<Outcome> {
  if (response.status >= 500) return "ended";
  if (response.status !== 429) return "refused";
  // Either this browser asks too fast, which passes by itself, or too many streams are open, which a person can change.
  const answer = (await response.json().catch(() => null)) as { details?: { reason?: unknown } } | null;
  return answer?.details?.reason === "STREAM_LIMIT" ? "crowded" : "ended";
}

function jittered(failures: number): number {
  const base = backOff[Math.min(failures, backOff.length) - 1] ?? 500;
  return base * (0.75 + Math.random() / 2);
}

/** The server says after how many milliseconds it will be back. */
function pauseOf(data: string): number | undefined {
  try {
    const { retryMs } = JSON.parse(data) as { retryMs?: unknown };
    return typeof retryMs === "number" ? Math.min(Math.max(retryMs, 0), 60_000) : undefined;
  } catch {
    return undefined;
  }
}

/** The wait ends early when the network is back, when the service answered something else, or when the person looks at the page again. */
function waitUntilWorthTrying(milliseconds: number, signal: AbortSignal, isOffline: boolean): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      stopWatching?.();
      resolve();
    };
    const stopWatching = isOffline ? lastAnswerAt.subscribe(end) : undefined;
    const timer = setTimeout(end, milliseconds);
    const once = { signal: over.signal };
    addEventListener("online", end, once);
    addEventListener("focus", end, once);
    signal.addEventListener("abort", end, once);
  });
}
