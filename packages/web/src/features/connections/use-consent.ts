/** @module Follows a request: asked often while it moves by itself, now and then while it waits for a person, no more once it has ended. */
import type { ApiError } from "@fettle/contract/core";
import type { ConnectionConsent } from "@fettle/contract/servers";
import { useCallback, useEffect, useState } from "react";
import { failureOf, isRetryable } from "../../api/failure.ts";
import { readConsent } from "./queries.ts";
import { isEnded, isMoving } from "./request-words.ts";

const whileMovingMs = 700;
const whileWaitingMs = 3_000;

export interface Followed {
  consent: ConnectionConsent | undefined;
  /** Of the last read; what arrived before it stays. */
  failure: ApiError | null;
  /** Reads at once, such as after the person did something. */
  look: () => void;
}

export function useConsent(requestId: string): Followed {
  const [state, setState] = useState<Omit<Followed, "look">>({ consent: undefined, failure: null });
  const [round, setRound] = useState(0);
  const look = useCallback(() => setRound((now) => now + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is what asks again.
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      clearTimeout(timer);
      try {
        const consent = await readConsent(requestId, left.signal);
        if (left.signal.aborted) return;
        setState({ consent, failure: null });
        if (!isEnded(consent.status))
          timer = setTimeout(read, isMoving(consent.status) ? whileMovingMs : whileWaitingMs);
      } catch (error) {
        if (left.signal.aborted) return;
        const failure = failureOf(error);
        setState(({ consent }) => ({ consent, failure }));
        if (isRetryable(failure)) timer = setTimeout(read, whileWaitingMs);
      }
    };
    void read();
    // Whoever comes back to the tab wants to see how it stands now, not at the next turn.
    const shown = () => document.visibilityState === "visible" && void read();
    document.addEventListener("visibilitychange", shown, { signal: left.signal });
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [requestId, round]);

  return { ...state, look };
}
