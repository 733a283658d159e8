/** @module One limiter for each provider key: so many calls at once, and a 429 is a wait for everyone who uses the key, never a verdict. */
import { setTimeout as delay } from "node:timers/promises";
import { ModelError } from "./model.ts";

export interface LimiterSettings {
  concurrentCalls: number;
  /** Tries after the first for faults that may pass: 5xx, a lost connection, silence. */
  retries: number;
  /** Longest one call waits for its turn after it was first told to wait. */
  maxWaitMs: number;
}

export const defaultLimiter: LimiterSettings = { concurrentCalls: 8, retries: 2, maxWaitMs: 120_000 };

/** Handed in by tests, so that no test has to wait for real. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal });
  },
  random: () => Math.random(),
};

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** So that those who waited together do not all come back in the same moment. */
const jitterMs = 250;

export interface Limiter {
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Nothing runs, waits, or was told to wait. */
  isIdle(): boolean;
}

export function createLimiter(settings: LimiterSettings, clock: Clock = realClock): Limiter {
  let running = 0;
  const queue: (() => void)[] = [];
  let pausedUntil = 0;
  let limitedInARow = 0;
  /** Of the key's last 429, as long as no call got through since. */
  let toldToWait: ModelError | undefined;
  const cancelled = (signal: AbortSignal) => cancelledBy(signal, toldToWait);

  const backoff = (round: number) => {
    const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** round);
    return ceiling / 2 + (ceiling / 2) * clock.random();
  };

  async function enter(signal: AbortSignal): Promise<void> {
    for (;;) {
      if (signal.aborted) throw cancelled(signal);
      const wait = pausedUntil - clock.now();
      if (wait > 0) {
        await sleep(wait + jitterMs * clock.random(), signal);
      } else if (running < settings.concurrentCalls) {
        running++;
        return;
      } else {
        await turn(signal);
      }
    }
  }

  function leave(): void {
    running--;
    queue.shift()?.();
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const stop = () => {
        queue.splice(queue.indexOf(go), 1);
        reject(cancelled(signal));
      };
      queue.push(go);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  async function sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(ms, signal);
    } catch (error) {
      throw signal.aborted ? cancelled(signal) : error;
    }
  }

  return {
    isIdle: () => running === 0 && queue.length === 0 && pausedUntil <= clock.now(),
    async run(call, signal) {
      let failures = 0;
      let firstToldAt: number | undefined;
      for (;;) {
        await enter(signal);
        let waitMs = 0;
        try {
          const answer = await call();
          limitedInARow = 0;
          toldToWait = undefined;
          return answer;
        } catch (error) {
          if (!(error instanceof ModelError) || !error.mayRepeat) throw error;
          if (isToWait(error)) {
            const now = clock.now();
            firstToldAt ??= now;
            const asked = error.retryAfterMs ?? backoff(limitedInARow);
            if (now + asked > firstToldAt + settings.maxWaitMs) throw tooLong(error, settings.maxWaitMs);
            limitedInARow++;
            toldToWait = error;
            pausedUntil = Math.max(pausedUntil, now + asked);
          } else {
            if (failures >= settings.retries) throw error;
            waitMs = backoff(failures);
            failures++;
          }
        } finally {
          leave();
        }
        if (waitMs > 0) await sleep(waitMs, signal);
      }
    },
  };
}

/** Told to come back later: by a 429 in any case, by another refusal when it says when. */
function isToWait({ code, retryAfterMs }: ModelError): boolean {
  return code === "MODEL_RATE_LIMITED" || (code === "MODEL_PROVIDER_ERROR" && retryAfterMs !== undefined);
}

function tooLong(error: ModelError, maxWaitMs: number): ModelError {
  const asked =
    error.retryAfterMs === undefined
      ? "keeps limiting the rate"
      : `asks to wait ${Math.ceil(error.retryAfterMs / 1000)} s`;
  return new ModelError(
    error.code,
    `The provider ${asked}, which is more than the ${Math.ceil(maxWaitMs / 1000)} s that one call may wait: ${error.message}`,
    {
      hint: "Run it again later, run fewer cases at once, or raise the key's limit at the provider.",
      ...(error.status !== undefined && { status: error.status }),
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
      cause: error,
    },
  );
}

/** Whoever gave up while a provider made everyone wait was held up by the provider, and says so. */
function cancelledBy(signal: AbortSignal, toldToWait: ModelError | undefined): ModelError {
  const cause = signal.reason;
  return toldToWait
    ? new ModelError(
        toldToWait.code,
        `The provider limited the rate until the wait was given up: ${toldToWait.message}`,
        { cause },
      )
    : new ModelError("MODEL_CANCELLED", "Cancelled while waiting for the model.", { cause });
}
